import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AUTH_EVENT } from "../api/auth-event.ts";
import { outcomeCookie } from "../outcome/outcome-cookie.ts";
import { sendForm } from "./send-form.ts";
import { followSession } from "./session-news.ts";

const fetch = vi.fn<typeof globalThis.fetch>();
const assign = vi.fn<(to: string) => void>();
const heard = vi.fn<(event: string) => void>();
let end = () => {};

beforeEach(() => {
  const { name, value } = outcomeCookie(AUTH_EVENT, "USER_UPDATED");
  vi.stubGlobal("fetch", fetch);
  vi.stubGlobal("location", { assign });
  vi.stubGlobal("document", { cookie: `${name}=${value}` });
  end = followSession(heard);
});
afterEach(() => {
  end();
  vi.unstubAllGlobals();
  vi.resetAllMocks();
});

const send = () => sendForm("/wallet/link", "u1", [["address", "0x1"]]);

test("sends its fields and whose page it is on, and passes on what the answer says of the session", async () => {
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

test("rejects with the error that the answer tells", async () => {
  fetch.mockResolvedValue(Response.json({ message: "No.", error: "CONFLICT" }, { status: 409 }));
  await expect(send()).rejects.toMatchObject({ message: "No.", code: "CONFLICT", status: 409, fromServer: true });
});

test("where no answer comes it is sent once more, and says so", async () => {
  fetch.mockRejectedValueOnce(new TypeError("Failed to fetch")).mockResolvedValue(Response.json({ success: true }));
  expect(await send()).toEqual({ success: true });
  const sent = fetch.mock.calls.map(([to, init]) => [to, new Headers(init?.headers).get("X-Nodebeat-Repeated")]);
  expect(sent).toEqual([
    ["/wallet/link", null],
    ["/wallet/link", "1"],
  ]);
  expect(fetch.mock.lastCall?.[1]?.body).toEqual(fetch.mock.calls[0]?.[1]?.body);
});

test("a form whose answer breaks off is sent once more, and says so", async () => {
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

test("no answer is a network error, and one that is no JSON an unknown one", async () => {
  fetch.mockRejectedValue(new TypeError("Failed to fetch"));
  await expect(send()).rejects.toMatchObject({ code: "NETWORK_ERROR" });
  fetch.mockResolvedValue(new Response("<html>"));
  await expect(send()).rejects.toMatchObject({ code: "UNKNOWN_ERROR" });
});

test("leaves once the session is over, and says nothing here: neither to the page nor to other tabs", async () => {
  const headers = { Location: "/auth?redirectTo=%2Fprofile" };
  fetch.mockResolvedValue(Response.json({ message: "No" }, { status: 401, headers }));
  const settled = vi.fn<() => void>();
  send().then(settled, settled);
  await vi.waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith("/auth?redirectTo=%2Fprofile"));
  expect(settled).not.toHaveBeenCalled();
  expect(heard).not.toHaveBeenCalled();
});
