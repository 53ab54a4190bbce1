import { expect, test } from "vitest";
import { createProxyTrust, withoutMapping } from "./client-address.ts";

const trust = createProxyTrust(["10.0.0.0/8", "2001:db8::1"]);

test("trusts the listed IPv4 and IPv6 addresses and ranges, and nothing else", () => {
  expect(trust.isTrusted("10.1.2.3")).toBe(true);
  expect(trust.isTrusted("2001:db8::1")).toBe(true);
  expect(trust.isTrusted("192.168.0.1")).toBe(false);
  expect(trust.isTrusted("")).toBe(false);
  expect(createProxyTrust([]).isTrusted("127.0.0.1")).toBe(false);
});

test.each([
  ["a direct client that sends the header itself", "203.0.113.9", "1.1.1.1", "203.0.113.9"],
  ["a request through a proxy", "10.0.0.1", "203.0.113.9", "203.0.113.9"],
  ["a client that made up an earlier entry", "10.0.0.1", "6.6.6.6, 203.0.113.9", "203.0.113.9"],
  ["a chain of proxies", "10.0.0.1", "203.0.113.9, 10.0.0.2, ::ffff:10.0.0.3", "203.0.113.9"],
  ["a request by the proxy itself", "10.0.0.1", undefined, "10.0.0.1"],
  ["an empty header", "10.0.0.1", "", "10.0.0.1"],
  ["an empty entry", "10.0.0.1", "203.0.113.9, ", "203.0.113.9"],
  ["a client with its port", "10.0.0.1", "203.0.113.9:41022", "203.0.113.9"],
  ["a proxy with its port", "10.0.0.1", "6.6.6.6, 203.0.113.9, 10.0.0.2:443", "203.0.113.9"],
  ["an IPv6 client with its port", "10.0.0.1", "[2001:db8:5::9]:4444", "2001:db8:5::9"],
  ["an IPv6 client in brackets", "2001:db8::1", "[2001:db8:5::9], [2001:db8::1]", "2001:db8:5::9"],
  ["an IPv4-mapped client with its port", "10.0.0.1", "[::ffff:203.0.113.9]:80", "203.0.113.9"],
  ["an unknown client", "10.0.0.1", "203.0.113.9, unknown", "10.0.0.1"],
  ["a hidden client behind two proxies", "10.0.0.1", "203.0.113.9, _hidden, 10.0.0.2", "10.0.0.2"],
])("finds the client of %s", (_, peer, forwardedFor, client) => {
  expect(trust.findClient(peer, forwardedFor)).toBe(client);
});

test("turns the IPv4 peer of a dual-stack socket into an IPv4 address", () => {
  expect(withoutMapping("::ffff:127.0.0.1")).toBe("127.0.0.1");
  expect(withoutMapping("::1")).toBe("::1");
});
