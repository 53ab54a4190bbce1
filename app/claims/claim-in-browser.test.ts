import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { claimInBrowser } from "./claim-in-browser.ts";

const fetch = vi.fn<typeof globalThis.fetch>();
beforeEach(() => void vi.stubGlobal("fetch", fetch));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetAllMocks();
});

const claim = (serverAction: () => Promise<unknown>, signal = new AbortController().signal) =>
  claimInBrowser(
    {
      request: new Request("http://nodebeat.test/rewards?page=2", { method: "POST", body: new FormData(), signal }),
      serverAction,
    },
    ["rewards"],
  );
const lost = () => Promise.reject(new TypeError("Failed to fetch"));

test("passes on a response or a refusal unchanged, and does not retry", async () => {
  expect(await claim(async () => "done")).toBe("done");
  const refusal = Response.json(null, { status: 409 });
  await expect(claim(() => Promise.reject(refusal))).rejects.toBe(refusal);
  expect(fetch).not.toHaveBeenCalled();
});

test("retries once if no response arrives, and redirects to the page that reports the claim", async () => {
  fetch.mockResolvedValue(Object.defineProperty(new Response(), "type", { value: "opaqueredirect" }));
  const led = await claim(lost).catch((thrown: unknown) => thrown);
  expect(led instanceof Response && [led.status, led.headers.get("Location")]).toEqual([302, "/rewards?page=2"]);
  const [to, sent] = fetch.mock.lastCall ?? [];
  expect([to, new Headers(sent?.headers).get("X-Nodebeat-Repeated")]).toEqual([
    "http://nodebeat.test/rewards?page=2",
    "1",
  ]);
});

test("distinguishes a refused retry from one without a response", async () => {
  fetch.mockResolvedValue(new Response("", { status: 409 }));
  expect(await claim(lost)).toEqual({ refusal: "The points could not be claimed. Reload the page, then try again." });
  fetch.mockRejectedValue(new TypeError("Failed to fetch"));
  expect(await claim(lost)).toEqual({
    refusal: "The server did not answer. Reload the page to see whether your claim went through.",
  });
});

test("an aborted claim is not sent again", async () => {
  const leaving = new AbortController();
  fetch.mockResolvedValue(new Response());
  const claiming = claim(async () => {
    leaving.abort();
    return leaving.signal.throwIfAborted();
  }, leaving.signal);
  await expect(claiming).rejects.toBe(leaving.signal.reason);
  expect(fetch).not.toHaveBeenCalled();
});
