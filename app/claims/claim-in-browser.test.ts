import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { claimInBrowser } from "./claim-in-browser.ts";

const fetch = vi.fn<typeof globalThis.fetch>();
beforeEach(() => void vi.stubGlobal("fetch", fetch));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetAllMocks();
});

const claim = (serverAction: () => Promise<unknown>) =>
  claimInBrowser(
    {
      request: new Request("http://nodebeat.test/rewards?page=2", { method: "POST", body: new FormData() }),
      serverAction,
    },
    ["rewards"],
  );
const lost = () => Promise.reject(new TypeError("Failed to fetch"));

test("an answer is taken as it is, and so is a refusal", async () => {
  expect(await claim(async () => "done")).toBe("done");
  const refusal = Response.json(null, { status: 409 });
  await expect(claim(() => Promise.reject(refusal))).rejects.toBe(refusal);
  expect(fetch).not.toHaveBeenCalled();
});

test("without an answer it is sent once more, and leads to where the claim is told of", async () => {
  fetch.mockResolvedValue(Object.defineProperty(new Response(), "type", { value: "opaqueredirect" }));
  const led = await claim(lost).catch((thrown: unknown) => thrown);
  expect(led instanceof Response && [led.status, led.headers.get("Location")]).toEqual([302, "/rewards?page=2"]);
  const [to, sent] = fetch.mock.lastCall ?? [];
  expect([to, new Headers(sent?.headers).get("X-Nodebeat-Repeated")]).toEqual([
    "http://nodebeat.test/rewards?page=2",
    "1",
  ]);
});

test("what a refusal of that one and no answer to it mean is told apart", async () => {
  fetch.mockResolvedValue(new Response("", { status: 409 }));
  expect(await claim(lost)).toEqual({ refusal: "The points could not be claimed. Reload the page, then try again." });
  fetch.mockRejectedValue(new TypeError("Failed to fetch"));
  expect(await claim(lost)).toEqual({
    refusal: "The server did not answer. Reload the page to see whether your claim went through.",
  });
});
