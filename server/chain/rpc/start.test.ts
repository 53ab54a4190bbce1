import { zeroHash, type Address, type Hex } from "viem";
import { expect, test } from "vitest";
import { accountAt } from "../../../tests/support/chain/anvil.ts";
import {
  codeOf,
  domainOf,
  FACTORY,
  fails,
  MACHINE,
  reverts,
  startScriptedNode,
} from "../../../tests/support/chain/scripted-node.ts";
import { EXECUTION, createScriptedStation, openScriptedNode } from "../../../tests/support/chain/scripted-station.ts";
import { createLog } from "../../log/log.ts";
import { readSmartAccountConsent } from "../../machine-id/contract.ts";
import { seedChainMember } from "../../../tests/support/chain/chain-member.ts";
import { factoryAbi, olderFactoryAbi } from "../abi.ts";

const { database, node } = await openScriptedNode();
const open = (options: Parameters<typeof createScriptedStation>[2] = {}) =>
  createScriptedStation(database, node, options);

const UNREACHABLE = "The chain cannot be reached at any of the CHAIN_RPC_URLS.";
const NO_STATION = "The contract at CHAIN_FACTORY_ADDRESS is no machine station factory.";
const ELSEWHERE = "The factory's EIP-712 domain is that of another chain or contract.";
const ADMIN = accountAt(1).address;
const MANAGER = accountAt(2).address;

const domain = (parts: Parameters<typeof domainOf>[0]) => ({ eip712Domain: () => domainOf(parts) });
const without = (role: "admin" | "manager") => ({
  hasRole: (asked: Hex) => (asked === zeroHash) !== (role === "admin"),
});
const balanceless = (address: Address) => ({
  eth_getBalance: (asked: string) => (asked.toLowerCase() === address.toLowerCase() ? "0x0" : "0x1"),
});

test.each<[string, string, Partial<Record<"answers" | "contracts", Record<string, (...asked: never[]) => unknown>>>]>([
  ["no node", UNREACHABLE, { answers: { eth_chainId: fails } }],
  ["another chain", "CHAIN_RPC_URLS lead to chain 1, not to 3338.", { answers: { eth_chainId: () => "0x1" } }],
  [
    "no contract",
    `There is no contract at CHAIN_FACTORY_ADDRESS (${FACTORY}).`,
    { answers: { eth_getCode: () => "0x" } },
  ],
  ["no answer to what the contract is", UNREACHABLE, { answers: { eth_getCode: fails } }],
  ["a contract without a domain", NO_STATION, { contracts: { eip712Domain: () => "0x" } }],
  ["a contract that refuses to tell its domain", NO_STATION, { contracts: { eip712Domain: () => reverts() } }],
  ["no answer about the domain", UNREACHABLE, { contracts: { eip712Domain: fails } }],
  ["another contract's name", NO_STATION, { contracts: domain({ name: "MachineSmartAccount" }) }],
  ["a domain without a version", NO_STATION, { contracts: domain({ version: "" }) }],
  [
    "a version that nobody knows",
    "The factory's EIP-712 domain is of version 3; 1 and 2 are known.",
    { contracts: domain({ version: "3" }) },
  ],
  ["the domain of another chain", ELSEWHERE, { contracts: domain({ chainId: 1n }) }],
  ["the domain of another contract", ELSEWHERE, { contracts: domain({ contract: MACHINE }) }],
  ["a contract without roles", NO_STATION, { contracts: { STATION_MANAGER_ROLE: () => reverts() } }],
  ["no answer about the roles", UNREACHABLE, { contracts: { STATION_MANAGER_ROLE: fails } }],
  ["a contract that knows of nobody's roles", NO_STATION, { contracts: { hasRole: () => "0x" } }],
  ["no answer about who has a role", UNREACHABLE, { contracts: { hasRole: fails } }],
  [
    "an admin without the role",
    `The account of CHAIN_ADMIN_KEY (${ADMIN}) does not have the factory's admin role.`,
    { contracts: without("admin") },
  ],
  [
    "a manager without the role",
    `The account of CHAIN_MANAGER_KEY (${MANAGER}) does not have the factory's station manager role.`,
    { contracts: without("manager") },
  ],
  [
    "a manager without funds",
    `The account of CHAIN_MANAGER_KEY (${MANAGER}) has no funds to pay for transactions.`,
    { answers: balanceless(MANAGER) },
  ],
  [
    "a factory without funds",
    `The factory (${FACTORY}) has no funds to pay for new accounts.`,
    { answers: balanceless(FACTORY) },
  ],
  ["no answer about the funds", UNREACHABLE, { answers: { eth_getBalance: fails } }],
])("%s: the check tells the operator why, and passes once it is fixed", async (_, reason, { answers, contracts }) => {
  const { chain, clock } = open();
  Object.assign(node.answers, answers);
  Object.assign(node.contracts, contracts);
  expect(await chain.check()).toEqual({ ok: false, reason });
  node.reset();
  clock.advance(5_000);
  expect(await chain.check()).toEqual({ ok: true });
});

test("a failed check is not repeated within five seconds", async () => {
  const { chain, clock } = open();
  node.answers.eth_getCode = () => "0x";
  const first = await chain.check();
  node.reset();
  clock.advance(4_999);
  expect(await chain.check()).toEqual(first);
  expect(chain.isReady()).toBe(false);
  expect(node.asked).toEqual([]);
});

test("a failed check is repeated even if the clock is set back, and a passed check stays passed", async () => {
  const { chain, clock } = open();
  node.answers.eth_getCode = () => "0x";
  expect(await chain.check()).toMatchObject({ ok: false });
  node.reset();
  clock.advance(-3_600_000);
  expect(await chain.check()).toEqual({ ok: true });
  // Back to the time at which the check failed.
  clock.advance(3_600_000);
  expect(await chain.check()).toEqual({ ok: true });
});

test("concurrent checks are answered by one, and a passed check is not repeated", async () => {
  const { chain, clock } = open();
  const checks = await Promise.all([chain.check(), chain.check(), chain.describeDomains()]);
  expect(checks).toMatchObject([{ ok: true }, { ok: true }, { factory: { version: "1", verifyingContract: FACTORY } }]);
  clock.advance(60_000);
  expect(chain.isReady()).toBe(true);
  expect(await chain.check()).toEqual({ ok: true });
  expect(node.listRequests("eth_chainId")).toHaveLength(1);
});

test("asking whether the chain is ready starts the check", async () => {
  const { chain } = open();
  expect(chain.isReady()).toBe(false);
  await expect.poll(() => node.listRequests("eth_getBalance").length).toBe(2);
  await expect.poll(() => chain.isReady()).toBe(true);
});

test("members get 503 with Retry-After while the chain is unavailable", async () => {
  const { api, clock } = open();
  const { token } = await seedChainMember(api.deps);
  node.answers.eth_chainId = fails;
  const answer = await api.call(readSmartAccountConsent, { token });
  expect(answer).toMatchObject({
    status: 503,
    body: {
      error: "UNAVAILABLE",
      message: "The identity network cannot be reached at the moment. Please try again soon.",
    },
  });
  expect(answer.headers.get("Retry-After")).toBe("10");
  node.reset();
  clock.advance(5_000);
  expect(await api.call(readSmartAccountConsent, { token })).toMatchObject({ status: 200 });
});

test.each([
  ["no way to the node", UNREACHABLE, "HttpRequestError", () => (node.answers.eth_chainId = fails)],
  ["a failure later on", UNREACHABLE, "HttpRequestError", () => (node.answers.eth_getBalance = fails)],
  ["another contract", NO_STATION, "Eip712DomainNotFoundError", () => (node.contracts.eip712Domain = () => "0x")],
])("logs the problem and its cause, without the node's address: %s", async (_, message, type, trouble) => {
  const said: string[] = [];
  const log = createLog({ level: "trace", destination: { write: (line: string) => void said.push(line) } });
  const { chain } = open({ log });
  trouble();
  await chain.check();
  expect(said.map((line) => JSON.parse(line) as object)).toMatchObject([{ err: { message }, cause: { type } }]);
  expect(said.join("")).not.toContain("key-of-the-node");
});

test("a lasting problem is logged at most once a minute, however often it is checked", async () => {
  const said: string[] = [];
  const log = createLog({ level: "trace", destination: { write: (line: string) => void said.push(line) } });
  const { chain, clock } = open({ log });
  node.answers.eth_chainId = fails;
  for (let looks = 0; looks < 3; looks += 1) {
    await chain.check();
    clock.advance(5_000);
  }
  expect(node.listRequests("eth_chainId")).toHaveLength(3);
  expect(said).toHaveLength(1);
});

test("one node that answers is enough, but every node that answers must be on the network", async () => {
  const dead = await startScriptedNode();
  dead.answers.eth_chainId = fails;
  dead.answers.eth_getCode = fails;
  const rpcUrls = [dead.url, node.url];
  expect(await open({ rpcUrls }).chain.check()).toEqual({ ok: true });
  dead.answers.eth_chainId = () => "0x539";
  const reason = "CHAIN_RPC_URLS lead to chain 1337, not to 3338.";
  expect(await open({ rpcUrls: [node.url, dead.url] }).chain.check()).toEqual({ ok: false, reason });
  await dead.stop();
});

test.each([
  ["of the later generation", codeOf(factoryAbi), factoryAbi],
  ["of the older generation", codeOf(olderFactoryAbi), olderFactoryAbi],
  ["that is a proxy", "0x363d3d37", factoryAbi],
] as const)("calls a factory %s with an ABI that it supports", async (_, code, abi) => {
  const { begin } = open();
  node.answers.eth_getCode = () => code;
  await (await begin(EXECUTION)).work();
  const [{ data }] = node.listRequests("eth_estimateGas").at(-1) as [{ data: Hex }];
  expect(codeOf(abi)).toContain(data.slice(2, 10));
});
