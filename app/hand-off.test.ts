import { expect, test } from "vitest";
import { handOffScripts } from "./hand-off.ts";

test("what a member or an address says does not break out of a page's data", () => {
  const hostile = `</script><script>alert(1)</script><!--<script>&\u2028\u2029`;
  const html = handOffScripts(JSON.stringify({ name: hostile }), "nonce");
  const bodies = Array.from(html.matchAll(/<script nonce="nonce">(.*?)<\/script>/gs), ([, body = ""]) => body);
  expect(bodies).toHaveLength(2);
  expect(html).not.toMatch(/<!--|<script>|[\u2028\u2029]/);
  const [, text = ""] = /enqueue\((.*)\);$/s.exec(bodies[0] ?? "") ?? [];
  expect(JSON.parse(JSON.parse(text))).toEqual({ name: hostile });
});
