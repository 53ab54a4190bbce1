import http from "node:http";
import { Socket } from "node:net";
import { afterAll, expect, vi } from "vitest";

/** What a stand-in for a remote backend takes over, and has to give back. */
const readTransport = () => ({
  fetch,
  Headers,
  append: Reflect.get(Headers.prototype, "append"),
  set: Reflect.get(Headers.prototype, "set"),
  request: http.request,
  connect: Reflect.get(Socket.prototype, "connect"),
});

const before = readTransport();

/** The worker goes on with another file: what stood in for a global or for the time ends with this one. */
afterAll(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  expectTransport();
});

function expectTransport() {
  expect(readTransport(), "requests go where they went before").toEqual(before);
}
