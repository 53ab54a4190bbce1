import { numberToHex, recoverTypedDataAddress, type Hex } from "viem";
import { expect, test } from "vitest";
import { accountAt } from "../../tests/support/chain/anvil.ts";
import { describeDeploy, IDENTITY_CHAIN_ID } from "./contract.ts";
import { isCanonical, requireSignature } from "./typed-data.ts";

const OWNER = accountAt(4);
const domain = {
  name: "MachineStationFactory",
  version: "1",
  chainId: IDENTITY_CHAIN_ID,
  verifyingContract: accountAt(9).address,
};
const typedData = describeDeploy(domain, { machineOwner: OWNER.address, nonce: "1" });
const good = await OWNER.signTypedData(typedData);
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

const withS = (s: bigint) => `${good.slice(0, 66)}${numberToHex(s, { size: 32 }).slice(2)}${good.slice(130)}` as Hex;
const withV = (v: string) => `${good.slice(0, 130)}${v}`;

test("accepts the owner's signature and address in upper or lower case", async () => {
  const upper = `0x${good.slice(2).toUpperCase()}`;
  await expect(requireSignature(typedData, OWNER.address.toLowerCase() as Hex, good)).resolves.toBeUndefined();
  await expect(requireSignature(typedData, OWNER.address, upper)).resolves.toBeUndefined();
});

const BAD: [string, string][] = [
  ["nothing", ""],
  ["what stands before it", `${"0".repeat(70)}${good}`],
  ["one half byte before it", `0${good}`],
  ["what stands behind it", `${good}00`],
  ["a line behind it", `${good}\n`],
  ["no 0x", good.slice(2)],
  ["a byte less", good.slice(0, -2)],
  ["an s of nothing", withS(0n)],
  ["the smallest s that is too high", withS(HALF_ORDER + 1n)],
  ["a v of 0", withV("00")],
  ["a v of 1", withV("01")],
  ["a v of 26", withV("1a")],
  ["a v of 29", withV("1d")],
  ["no number", good.replace(/.{4}$/, "zz1b")],
];

test.each(BAD)("a signature with %s is not canonical", (_, signature) => {
  expect(isCanonical(signature)).toBe(false);
});

test.each([
  ...BAD,
  ["the other v", withV(good.endsWith("1b") ? "1c" : "1b")],
  ["the highest s that is allowed, which is not the owner's", withS(HALF_ORDER)],
])("rejects a signature with %s as BAD_SIGNATURE", async (_, signature) => {
  await expect(requireSignature(typedData, OWNER.address, signature)).rejects.toMatchObject({
    code: "BAD_SIGNATURE",
    message: "This signature is not from your linked wallet, or not for this request. Please sign again.",
  });
});

test("a signature that is no point of the curve is rejected with a cause for the log", async () => {
  const error = await requireSignature(typedData, OWNER.address, `0x${"f".repeat(64)}${good.slice(66)}`).catch(
    (thrown: Error) => thrown,
  );
  expect(error).toMatchObject({ code: "BAD_SIGNATURE", cause: expect.any(Error) });
});

test.each(["1b", "1B", "1c", "1C"])(
  "accepts a signature with the highest s that contracts allow, with a v of %s",
  async (v) => {
    // The signer is whoever recovery leads to: the signature counts as theirs, and nobody else's.
    const signature = `${withS(HALF_ORDER).slice(0, 130)}${v}` as Hex;
    const signer = await recoverTypedDataAddress({ ...typedData, signature });
    await expect(requireSignature(typedData, signer, signature)).resolves.toBeUndefined();
  },
);
