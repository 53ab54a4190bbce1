import { expect, test } from "vitest";
import { isPublicAddress, isPublicHost } from "./public-address.ts";

test.each([
  "127.0.0.1",
  "127.9.9.9",
  "10.0.0.1",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "100.64.0.1",
  "168.63.129.16",
  "169.254.169.254",
  "0.0.0.0",
  "255.255.255.255",
  "224.0.0.1",
  "198.18.0.1",
  "198.19.255.255",
  "192.0.2.1",
  "0.1.2.3",
  "192.0.0.8",
  "192.88.99.1",
  "198.51.100.1",
  "203.0.113.1",
  "240.0.0.1",
  "::",
  "::1",
  "::ffff:127.0.0.1",
  "::ffff:10.0.0.1",
  "::ffff:7f00:1",
  "::127.0.0.1",
  "64:ff9b::7f00:1",
  "64:ff9b:1::1",
  "100::1",
  "2001::1",
  "2001:db8::1",
  "3fff::1",
  "2002:7f00:1::1",
  "fc00::1",
  "fd12:3456::1",
  "fe80::1",
  "ff02::1",
  "no address",
])("%s is not public", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(["1.1.1.1", "8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00:1450:4001::8a"])(
  "%s is public",
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

test.each([
  ["localhost", false],
  ["localhost.", false],
  ["database", false],
  ["printer.local", false],
  ["metadata.google.internal", false],
  ["[::1]", false],
  ["[2606:4700::1111]", true],
  ["hooks.example.com", true],
])("the host %s: %s", (host, isPublic) => {
  expect(isPublicHost(host)).toBe(isPublic);
});

test.each(["https://2130706433/", "https://0x7f.1/", "https://0177.0.0.1/", "https://127.1/", "https://①②⑦.⓪.⓪.①/"])(
  "%s is recognized as this machine",
  (address) => {
    expect(isPublicHost(new URL(address).hostname)).toBe(false);
  },
);
