import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { handOffScript } from "./hand-off.ts";

test("hostile text from a member or a URL cannot break out of the page's data script", () => {
  const hostile = `</script><script>alert(1)</script><!--<script>&\u2028\u2029\\'"\n\u0000');alert(2);('`;
  const data = `${JSON.stringify({ name: hostile })}\n`;
  const html = handOffScript(data, "nonce");
  const bodies = Array.from(html.matchAll(/<script nonce="nonce">(.*?)<\/script>/gs), ([, body = ""]) => body);
  expect(bodies).toHaveLength(1);
  expect(html).not.toMatch(/<!--|<script>|[\u2028\u2029]/);

  const sent: string[] = [];
  const streamController = { enqueue: (text: string) => sent.push(text), close: () => sent.push("closed") };
  runInNewContext(bodies[0] ?? "", { window: { __reactRouterContext: { streamController } } });
  expect(sent).toEqual([data, "closed"]);
});
