import { expect, test, vi } from "vitest";
import { readWebAddress } from "./web-address.ts";

test.each([
  ["https://example.org/a?b", "https://example.org/a?b"],
  ["http://example.org", "http://example.org/"],
  ["javascript:alert(1)", undefined],
  ["no address", undefined],
  [undefined, undefined],
])("accepts %j only if it is a web address, even in browsers without URL.parse", (text, address) => {
  vi.stubGlobal("URL", class extends URL {});
  Reflect.set(URL, "parse", undefined);
  expect(readWebAddress(text)?.href).toBe(address);
  vi.unstubAllGlobals();
});
