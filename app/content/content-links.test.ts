import * as fc from "fast-check";
import { expect, test } from "vitest";
import { IPFS_GATEWAYS } from "../../server/content/contract.ts";
import { toGatewayLinks, toImageSources } from "./content-links.ts";

const V0 = "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG";
const V1 = "bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi";

const inOrder = (path: string) => [
  `https://ipfs.io/ipfs/${path}`,
  `https://dweb.link/ipfs/${path}`,
  `https://w3s.link/ipfs/${path}`,
  `https://4everland.io/ipfs/${path}`,
  `https://gateway.pinata.cloud/ipfs/${path}`,
];

// specification: 7.43
test.each([
  [`ipfs://${V1}/cat.png`, `${V1}/cat.png`],
  [`ipfs://ipfs/${V0}/a/b.png`, `${V0}/a/b.png`],
  [`https://cloudflare-ipfs.com/ipfs/${V0}`, V0],
  [`http://127.0.0.1:8080/ipfs/${V1}/cat.png?filename=cat.png`, `${V1}/cat.png?filename=cat.png`],
  [`https://${V1}.ipfs.dweb.link/cat.png`, `${V1}/cat.png`],
  [V0, V0],
  [` ${V1}/cat 1.png `, `${V1}/cat%201.png`],
  [`/ipfs/${V1}`, V1],
])("returns the addresses of %s at five gateways, in a fixed order", (link, path) => {
  expect(toGatewayLinks(link)).toEqual(inOrder(path));
});

test.each([
  "",
  "https://example.org/cat.png",
  "https://example.org/ipfs/not-a-cid/cat.png",
  "ipfs://",
  "ipfs://example/cat.png",
  `javascript:${V0}`,
  `${V0}extra`,
  `ipfs://${V1}/../../api/user`,
  `ipfs://${V1}/%2e%2e/%2E%2E/secret`,
  `ipfs://${V1}\\..\\..`,
])("%s is not an IPFS link", (link) => {
  expect(toGatewayLinks(link)).toEqual([]);
});

test("no path makes an address leave its gateway or its content", () => {
  const prefix = fc.constantFrom("ipfs://", "ipfs://ipfs/", "https://any.example/ipfs/", "/ipfs/", "");
  const path = fc.oneof(
    fc.webPath(),
    fc.string(),
    fc.string({ unit: fc.constantFrom("/", ".", "\\", "%2e", "?", "a") }),
  );
  fc.assert(
    fc.property(prefix, fc.constantFrom(V0, V1), path, (start, cid, rest) => {
      const links = toGatewayLinks(`${start}${cid}/${rest}`).map((link) => new URL(link));
      expect([0, IPFS_GATEWAYS.length]).toContain(links.length);
      expect(links.map(({ origin }) => origin)).toEqual(
        IPFS_GATEWAYS.slice(0, links.length).map(({ origin }) => origin),
      );
      expect(links.filter(({ pathname }) => !pathname.startsWith(`/ipfs/${cid}/`))).toEqual([]);
      // Every gateway has the same path, and converting a gateway's link again changes nothing.
      expect(new Set(links.map(({ pathname, search }) => pathname + search)).size).toBeLessThanOrEqual(1);
      for (const { href } of links) expect(toGatewayLinks(href)).toEqual(links.map((link) => link.href));
    }),
  );
});

test("rewrites a link without a path, whatever its content ID", () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom(...Array.from("abcdefghijklmnopqrstuvwxyz234567")),
        minLength: 58,
        maxLength: 70,
      }),
      (tail) => {
        expect(toGatewayLinks(`ipfs://b${tail}`)).toEqual(inOrder(`b${tail}`));
      },
    ),
  );
});

test("an image comes only from a gateway, the product or the link itself", () => {
  expect(toImageSources(`ipfs://${V0}`)).toHaveLength(5);
  expect(toImageSources("/campaigns/spring.png")).toEqual(["/campaigns/spring.png"]);
  expect(toImageSources("data:image/png;base64,AA==")).toEqual(["data:image/png;base64,AA=="]);
  for (const link of [
    null,
    undefined,
    "",
    "//example.org/a.png",
    "/\\example.org/a.png",
    "https://example.org/a.png",
    "data:text/html,x",
    "javascript:alert(1)",
  ])
    expect(toImageSources(link)).toEqual([]);
});
