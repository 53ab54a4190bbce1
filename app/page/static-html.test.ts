import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { injectStaticHtml, createStaticHtmlInjector } from "./static-html.ts";

const alone = { head: '<meta name="twitter:card" content="$&"/>', body: "<aside>Late</aside>" };
const html = `<html><head><title>${"é".repeat(3000)}</title></head><body><main>Ö</main></body></html>`;
const [before, main] = html.split("</head><body>");
const added = `${before}${alone.head}</head><body>${alone.body}${main}`;

test("adds HTML at the end of the head and the start of the body", () => {
  expect(injectStaticHtml(html, alone)).toBe(added);
  expect(injectStaticHtml(html, {})).toBe(html);
  expect(injectStaticHtml("<p>no document</p>", alone)).toBe("<p>no document</p>");
});

test.each([1, 7, 4096])("adds HTML to a page that arrives in chunks of %i bytes, after a long head", async (size) => {
  const adder = createStaticHtmlInjector(alone);
  const whole = Buffer.from(html);
  for (let at = 0; at < whole.length; at += size) adder.write(whole.subarray(at, at + size));
  adder.end();
  expect(await text(adder)).toBe(added);
});
