import { expect, test } from "vitest";
import { describeClient, limitKeyOf, nameDevice, nameNetwork } from "./client.ts";

test.each([
  ["203.0.113.77", "203.0.113.0/24", "203.0.113.77"],
  ["2001:db8:a:b:c:d:e:f", "2001:db8:a::/48", "2001:db8:a:b"],
  ["2001:db8::1", "2001:db8:0::/48", "2001:db8:0:0"],
  ["2001:db8:1:2::", "2001:db8:1::/48", "2001:db8:1:2"],
  ["::1", "0:0:0::/48", "0:0:0:0"],
  ["::", "0:0:0::/48", "0:0:0:0"],
  ["fe80::1%eth0", "fe80:0:0::/48", "fe80:0:0:0"],
  ["1:2:3:4:5:6:7::", "1:2:3::/48", "1:2:3:4"],
  ["", null, ""],
  ["nowhere", null, "nowhere"],
])("%s belongs to the network %s, and is rate limited as %s", (address, network, key) => {
  expect([nameNetwork(address), limitKeyOf(address)]).toEqual([network, key]);
});

const MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)";

test.each([
  [`${MAC} Version/26.1 Safari/605.1.15`, "Safari on macOS"],
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox on Windows"],
  ["Mozilla/5.0 (X; Other) Gecko/20100101 Firefox/145.0", "Firefox"],
  ["nobody knows", "An unknown device"],
  // Members see their failed sign-ins. The name must not carry a message from someone who knows their address.
  ["Your account is locked, call 555 0100/1 now", "An unknown device"],
  ["", "An unknown device"],
  // Only as much of the header is read as the longest of any browser has.
  [`${"x".repeat(512)} Firefox/145.0`, "An unknown device"],
])("names the device of the user agent %s: %s", (userAgent, name) => {
  expect(nameDevice(userAgent)).toBe(name);
});

const describe = (headers: Record<string, string>) =>
  describeClient({ address: "203.0.113.7", header: (name) => headers[name] });

test("identifies a browser by its device token, if that is well formed", () => {
  const token = "d".repeat(43);
  const known = describe({ "x-device-token": token, "user-agent": "curl/8.14.1" });
  expect(known).toMatchObject({ address: "203.0.113.7", userAgent: "curl/8.14.1" });
  // Computed with `sha256sum`.
  expect(known.deviceHash?.toString("hex")).toBe("9fb93e93b2f42ab1d60660300c454df7c90a2e61647223c1a725f39390cccdae");
  const nobody = { address: "203.0.113.7", userAgent: "", deviceHash: undefined };
  expect(describe({})).toEqual(nobody);
  for (const other of [`${token}d`, token.slice(1), `${token.slice(1)}!`]) {
    expect(describe({ "x-device-token": other })).toEqual(nobody);
  }
});
