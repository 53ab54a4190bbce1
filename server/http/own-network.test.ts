import { expect, test } from "vitest";
import { isPrivateHost } from "./own-network.ts";

test.each([
  "localhost",
  "backend",
  "api.internal",
  "api.local",
  "nodebeat.localhost",
  "10.255.255.255",
  "100.127.255.255",
  "127.0.0.1",
  "127.255.255.255",
  "172.31.255.255",
  "192.168.255.255",
  "[::1]",
  "[fdff::1]",
  "::1",
])("%s is in a private network", (host) => {
  expect(isPrivateHost(host)).toBe(true);
});

test.each([
  "nodebeat.example",
  "internal.example",
  "api.local.example",
  "9.255.255.255",
  "100.128.0.1",
  "172.32.0.1",
  "192.169.0.1",
  "[2001:db8::1]",
  "[::2]",
])("%s is not in a private network", (host) => {
  expect(isPrivateHost(host)).toBe(false);
});
