import http from "node:http";
import { Socket } from "node:net";
import { afterAll, expect, vi } from "vitest";

/** Reads everything that a stand-in for a remote backend replaces, and must restore. */
const readTransport = () => ({
  fetch,
  Headers,
  append: Reflect.get(Headers.prototype, "append"),
  set: Reflect.get(Headers.prototype, "set"),
  request: http.request,
  connect: Reflect.get(Socket.prototype, "connect"),
});

const before = readTransport();

/** The worker continues with another file: stubbed globals and fake timers end with this one. */
afterAll(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  expectTransport();
});

function expectTransport() {
  expect(readTransport(), "requests go where they went before").toEqual(before);
}
