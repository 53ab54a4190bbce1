import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AUTH_EVENT } from "../api/auth-event.ts";
import { outcomeCookie } from "../outcome/outcome-cookie.ts";
import { sendForm } from "./send-form.ts";
import { watchSession } from "./session-events.ts";

const fetch = vi.fn<typeof globalThis.fetch>();
const assign = vi.fn<(to: string) => void>();
const heard = vi.fn<(event: string) => void>();
let end = () => {};

beforeEach(() => {
  const { name, value } = outcomeCookie(AUTH_EVENT, "USER_UPDATED");
  vi.stubGlobal("fetch", fetch);
  vi.stubGlobal("location", { assign });
  vi.stubGlobal("document", { cookie: `${name}=${value}` });
  end = watchSession(heard);
});
afterEach(() => {
  end();
  vi.unstubAllGlobals();
  vi.resetAllMocks();
});

const send = () => sendForm("/wallet/link", "u1", [["address", "0x1"]]);

test("sends the fields and the page's member, and announces the session event of the response", async () => {
  fetch.mockResolvedValue(Response.json({ success: true }));
  expect(await send()).toEqual({ success: true });
  const [to, { body, headers, method } = {}] = fetch.mock.lastCall ?? [];
  expect([to, method, headers]).toEqual(["/wallet/link", "POST", { Accept: "application/json" }]);
  expect(body instanceof FormData && Array.from(body)).toEqual([
    ["address", "0x1"],
    ["member", "u1"],
  ]);
  expect(heard).toHaveBeenCalledExactlyOnceWith("USER_UPDATED", "");
});

test("rejects with the error in the response", async () => {
  fetch.mockResolvedValue(Response.json({ message: "No.", error: "CONFLICT" }, { status: 409 }));
  await expect(send()).rejects.toMatchObject({ message: "No.", code: "CONFLICT", status: 409, fromServer: true });
});

test("retries once if no response arrives, and marks the retry as such", async () => {
  fetch.mockRejectedValueOnce(new TypeError("Failed to fetch")).mockResolvedValue(Response.json({ success: true }));
  expect(await send()).toEqual({ success: true });
  // The failure is also a reason to check the server.
  const calls = fetch.mock.calls.filter(([to]) => to !== "/healthz");
  const sent = calls.map(([to, init]) => [to, new Headers(init?.headers).get("X-Nodebeat-Repeated")]);
  expect(sent).toEqual([
    ["/wallet/link", null],
    ["/wallet/link", "1"],
  ]);
  expect(calls[1]?.[1]?.body).toEqual(calls[0]?.[1]?.body);
});

test("retries once if the response breaks off, and marks the retry as such", async () => {
  const half = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"success":'));
      controller.error(new TypeError("network error"));
    },
  });
  fetch.mockResolvedValueOnce(new Response(half)).mockResolvedValueOnce(Response.json({ success: true }));
  expect(await send()).toEqual({ success: true });
  expect(new Headers(fetch.mock.lastCall?.[1]?.headers).get("X-Nodebeat-Repeated")).toBe("1");
});

test("reports a missing response as a network error, and one that is not JSON as an unknown error", async () => {
  fetch.mockRejectedValue(new TypeError("Failed to fetch"));
  await expect(send()).rejects.toMatchObject({ code: "NETWORK_ERROR" });
  fetch.mockResolvedValue(new Response("<html>"));
  await expect(send()).rejects.toMatchObject({ code: "UNKNOWN_ERROR" });
});

test("redirects to sign-in once the session is over, without settling or announcing anything", async () => {
  const headers = { Location: "/auth?redirectTo=%2Fprofile" };
  fetch.mockResolvedValue(Response.json({ message: "No" }, { status: 401, headers }));
  const settled = vi.fn<() => void>();
  send().then(settled, settled);
  await expect.poll(() => assign.mock.calls).toEqual([["/auth?redirectTo=%2Fprofile"]]);
  expect(settled).not.toHaveBeenCalled();
  expect(heard).not.toHaveBeenCalled();
});
