import { zeroAddress, type Address } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApi, seedMember } from "../../tests/support/api/api.ts";
import { describeOnAnvil } from "../../tests/support/chain/describe-on-anvil.ts";
import { startTcpProxy } from "../../tests/support/servers/tcp-proxy.ts";
import {
  deployNodePass,
  deployPlainPass,
  installMulticall,
  startStandIn,
} from "../../tests/support/chain/node-pass.ts";
import { createPassTest, OTHER, OWNER, SIGNER } from "../../tests/support/chain/pass-test.ts";
import { internalError, startScriptedNode } from "../../tests/support/chain/scripted-node.ts";
import { createRecordingProxy, type RecordingProxy } from "../../tests/support/chain/recording-rpc.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { readNodePass, readNodePassToken, TOKENS_SHOWN } from "./contract.ts";
import { MULTICALL } from "./node-pass-reader.ts";

const CID = "bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi";

test("the node pass is off if none is configured", async () => {
  const database = await createTestDatabase();
  const api = createTestApi(database);
  const { token } = await seedMember(api.deps, { wallet: OWNER.address });
  expect(await api.read(readNodePass, { token })).toMatchObject({ state: "off", contract: null });
  expect(await api.call(readNodePassToken, { token, params: { tokenId: "1" } })).toMatchObject({ status: 404 });
  await database.close();
});

describeOnAnvil("on a chain", (on) => {
  let rpc: RecordingProxy;
  beforeAll(async () => {
    rpc = await createRecordingProxy(on.anvil.url);
  });
  afterAll(() => rpc.stop());

  const begin = (options: Partial<Parameters<typeof createPassTest>[1]> & { address: Address }) =>
    createPassTest(on.database, { rpcUrl: rpc.url, ...options });

  test("a member without a linked wallet is told so, and the chain is not asked", async () => {
    const { address } = await deployNodePass(on.anvil);
    const { api } = await begin({ address });
    const { token } = await seedMember(api.deps);
    rpc.forget();
    expect(await api.read(readNodePass, { token })).toMatchObject({ state: "no-wallet", holding: null });
    expect(rpc.calls).toEqual([]);
  });

  // specification: 7.50
  test.for([
    ["one by one", Infinity],
    ["all at once", 4],
  ] as const)("a member sees every detail of their passes, read %s", async ([way, mostCalls]) => {
    await on.anvil.client.setCode({ address: MULTICALL, bytecode: "0x" });
    if (way === "all at once") await installMulticall(on.anvil);
    const pass = await deployNodePass(on.anvil, { name: "Nodebeat\u202E Pass" });
    const json = JSON.stringify({ name: "Pass #7", description: "A pass.", image: `ipfs://${CID}/7.png` });
    const link = `data:application/json;base64,${Buffer.from(json).toString("base64")}`;
    await pass.issue(OWNER.address, 7n, link, "Founder");
    await pass.issue(OWNER.address, 2n ** 256n - 1n, "");
    await pass.issue(OTHER.address, 8n);
    await pass.activate(OWNER, 7n);
    await pass.approve(OWNER, OTHER.address, 7n);
    await pass.approveAll(OWNER, SIGNER.address);

    const { read } = await begin({ address: pass.address });
    rpc.forget();
    const { contract, holding, minting, wallet } = await read();

    expect(wallet).toBe(OWNER.address);
    expect(contract).toEqual({
      address: pass.address,
      chainId: 3338,
      name: "Nodebeat Pass",
      symbol: "PASS",
      totalSupply: "3",
    });
    expect(holding).toMatchObject({ balance: "2", operators: [SIGNER.address], nonce: "0" });
    expect(holding?.tokens?.[0]).toEqual({
      id: "7",
      owner: OWNER.address,
      activated: true,
      approved: OTHER.address,
      metadata: { name: "Pass #7", description: "A pass.", image: `ipfs://${CID}/7.png` },
      details: { tier: "Founder", mintedAt: expect.any(String), activatedAt: expect.any(String) },
    });
    expect(holding?.tokens?.[1]).toMatchObject({
      id: (2n ** 256n - 1n).toString(),
      activated: false,
      approved: null,
      metadata: null,
      details: { tier: "Standard", activatedAt: null },
    });
    expect(minting).toEqual({ canMint: false, whitelisted: false, ticketState: "not-needed", goldenTicket: null });
    expect(rpc.calls.length).toBeLessThanOrEqual(mostCalls);
  });

  test("what was read is cached for half a minute and shared by concurrent requests", async () => {
    const pass = await deployNodePass(on.anvil);
    await pass.issue(OWNER.address, 1n);
    const { clock, read } = await begin({ address: pass.address });
    const [first, second] = await Promise.all([read(), read()]);
    expect(second).toEqual(first);

    await pass.transfer(OWNER, OTHER.address, 1n);
    rpc.forget();
    clock.advance(29_000);
    expect((await read()).holding?.balance).toBe("1");
    expect(rpc.calls).toEqual([]);
    clock.advance(2_000);
    expect((await read()).holding).toMatchObject({ balance: "0", tokens: [] });

    await pass.transfer(OTHER, OWNER.address, 1n);
    // Set the clock back.
    clock.advance(-3_600_000);
    expect((await read()).holding?.balance).toBe("1");
  });

  test("reads only the first of many passes, but the balance has their full count", async () => {
    const pass = await deployNodePass(on.anvil);
    for (let id = 1n; id <= BigInt(TOKENS_SHOWN) + 1n; id += 1n) await pass.issue(OWNER.address, id);
    const { read } = await begin({ address: pass.address });
    const { holding } = await read();
    expect(holding?.balance).toBe(String(TOKENS_SHOWN + 1));
    expect(holding?.tokens).toHaveLength(TOKENS_SHOWN);
  });

  test("shows what little a minimal contract reports, and does not follow its metadata link", async () => {
    const address = await deployPlainPass(on.anvil, OWNER.address);
    const gateway = await startStandIn((_, response) => response.end("{}"));
    const { read, readToken } = await begin({ address, gateways: [gateway.url] });
    const { contract, holding, minting } = await read();
    expect(contract).toMatchObject({ name: null, symbol: null, totalSupply: null });
    expect(holding).toEqual({ balance: (2n ** 256n - 1n).toString(), tokens: null, operators: null, nonce: null });
    expect(minting).toEqual({ canMint: null, whitelisted: null, ticketState: "not-needed", goldenTicket: null });
    expect(await readToken("5")).toMatchObject({
      status: 200,
      body: { id: "5", activated: null, details: null, metadata: null },
    });
    expect(gateway.asked).toEqual([]);
    await gateway.stop();
  });

  test("any existing pass can be read by its number, and an unknown one is not found", async () => {
    const pass = await deployNodePass(on.anvil);
    await pass.issue(OTHER.address, 3n);
    const { readToken } = await begin({ address: pass.address });
    expect(await readToken("3")).toMatchObject({ status: 200, body: { id: "3", owner: OTHER.address } });
    expect(await readToken("4")).toMatchObject({ status: 404 });
    expect(await readToken("9".repeat(78))).toMatchObject({ status: 404 });
    for (const wrong of ["-1", "01", "0x1", "1e3"]) expect(await readToken(wrong)).toMatchObject({ status: 400 });
  });

  test("responds with 503 while the chain is unreachable, and does not ask it again at once", async () => {
    const pass = await deployNodePass(on.anvil);
    await pass.issue(OWNER.address, 1n);
    const proxy = await startTcpProxy(on.anvil.port);
    const { readPass, clock, read } = await begin({ address: pass.address, rpcUrl: proxy.url });
    proxy.cut();
    const answer = await readPass();
    expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, "10"]);
    expect(JSON.stringify(answer.body)).not.toContain(proxy.url);

    proxy.mend();
    expect(await readPass()).toMatchObject({ status: 503 });
    clock.advance(11_000);
    expect((await read()).holding?.balance).toBe("1");

    proxy.cut();
    clock.advance(31_000);
    expect(await readPass()).toMatchObject({ status: 503 });
    await proxy.stop();
  });

  test("responds with 503 if the node does not answer within the time limit", async () => {
    const silent = await startStandIn(() => undefined);
    const { readPass, readToken } = await begin({ address: zeroAddress, rpcUrl: silent.url, timing: { timeout: 60 } });
    expect(await readPass()).toMatchObject({ status: 503 });
    expect(await readPass()).toMatchObject({ status: 503 });
    expect(await readToken("1")).toMatchObject({ status: 503 });
    await silent.stop();
  });

  test("a node's internal error is an outage, not a missing pass", async () => {
    const node = await startScriptedNode();
    const { readToken } = await begin({ address: OTHER.address, rpcUrl: node.url });
    node.answers.eth_call = () => internalError();
    expect(await readToken("1")).toMatchObject({ status: 503 });
    node.answers.eth_call = () => internalError("VM Exception while processing transaction: revert");
    expect(await readToken("2")).toMatchObject({ status: 404 });
    await node.stop();
  });

  test("an address without a pass contract is reported as an outage", async () => {
    const { readPass } = await begin({ address: OTHER.address });
    expect(await readPass()).toMatchObject({ status: 503 });
  });
});
