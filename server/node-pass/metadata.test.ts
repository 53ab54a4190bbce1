import type { Address } from "viem";
import { expect, test } from "vitest";
import { describeOnAnvil } from "../../tests/support/chain/describe-on-anvil.ts";
import { deployNodePass, startStandIn } from "../../tests/support/chain/node-pass.ts";
import { createPassTest, OWNER } from "../../tests/support/chain/pass-test.ts";
import { findSource, readDescription } from "./metadata.ts";

const CID = "bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi";

test.each([
  ["data:application/json;base64,eyJuYW1lIjoiQSJ9", { json: '{"name":"A"}' }],
  ['data:application/json;utf8,{"name":"A #1"}', { json: '{"name":"A #1"}' }],
  ["data:application/json,%7B%22name%22:%22A%22%7D", { json: '{"name":"A"}' }],
  ["data:application/json,{100%}", { json: "{100%}" }],
  [`ipfs://${CID}/7.json`, { path: `${CID}/7.json` }],
  [`https://gateway.example/ipfs/${CID}/7.json`, { path: `${CID}/7.json` }],
  [`ipfs://${CID}/../../admin`, null],
  ["https://issuer.example/7.json", null],
  ["http://127.0.0.1:3000/api/user", null],
  ["http://169.254.169.254/latest/meta-data", null],
  ["file:///etc/passwd", null],
  ["data:text/html,<script>", null],
  [`data:application/json,${"x".repeat(40_000)}`, null],
  ["", null],
  [null, null],
])("finds the inline content, the path on the content network, or nothing in the link %j", (uri, source) => {
  expect(findSource(uri)).toEqual(source);
});

const read = (described: object) => readDescription(JSON.stringify(described));

test("a description is truncated and kept as text, with its picture only if the page may load it", () => {
  expect(
    read({ name: "  <b>A</b>\u202E\n pass ", description: "x".repeat(400), image: `ipfs://ipfs/${CID}/a.png` }),
  ).toEqual({
    name: "<b>A</b> pass",
    description: `${"x".repeat(299)}…`,
    image: `ipfs://${CID}/a.png`,
  });
  for (const image of [
    "https://tracker.example/a.png",
    "/api/user",
    "//host/a.png",
    "javascript:alert(1)",
    7,
    "data:text/html,a",
  ]) {
    expect(read({ image })).toEqual({ name: null, description: null, image: null });
  }
  expect(read({ name: 7, description: ["a"], image: "data:image/png;base64,AA" })).toEqual({
    name: null,
    description: null,
    image: "data:image/png;base64,AA",
  });
});

test.each(["", "{", "null", "[]", '"text"', "7"])("%j is not a valid description", (json) => {
  expect(readDescription(json)).toBeNull();
});

describeOnAnvil("on a chain", (on) => {
  const begin = (options: Partial<Parameters<typeof createPassTest>[1]> & { address: Address }) =>
    createPassTest(on.database, { rpcUrl: on.anvil.url, ...options });

  test("fetches a description on the content network once, from the first gateway that has it", async () => {
    const away = await startStandIn((_, response) => response.writeHead(404).end());
    const leading = await startStandIn((_, response) => response.writeHead(302, { Location: away.url }).end());
    const talking = await startStandIn((_, response) => response.end("<h1>Just a moment…</h1>"));
    const having = await startStandIn((_, response) => response.end(JSON.stringify({ name: "From afar" })));
    const pass = await deployNodePass(on.anvil);
    await pass.issue(OWNER.address, 1n, `ipfs://${CID}/1.json`);
    const gateways = [away.url, leading.url, talking.url, having.url];
    const { clock, read } = await begin({ address: pass.address, gateways });

    for (let round = 0; round < 2; round += 1) {
      expect((await read()).holding?.tokens?.[0]?.metadata).toMatchObject({ name: "From afar" });
      clock.advance(31_000);
    }
    for (const { asked } of [away, leading, talking, having]) expect(asked).toEqual([`/ipfs/${CID}/1.json`]);
    for (const server of [away, leading, talking, having]) await server.stop();
  });

  test("a gateway that hangs, or never stops sending, costs only the description", async () => {
    const hanging = await startStandIn(() => undefined);
    const endless = await startStandIn((_, response) => {
      const write = () => {
        while (!response.destroyed && response.write("x".repeat(16_384)));
      };
      response.on("drain", write);
      write();
    });
    const pass = await deployNodePass(on.anvil);
    await pass.issue(OWNER.address, 1n, `ipfs://${CID}`);
    for (const { url } of [hanging, endless]) {
      const { read } = await begin({ address: pass.address, gateways: [url], timing: { gatewayTimeout: 200 } });
      expect((await read()).holding?.tokens).toMatchObject([{ id: "1", metadata: null }]);
    }
    await hanging.stop();
    await endless.stop();
  });
});
