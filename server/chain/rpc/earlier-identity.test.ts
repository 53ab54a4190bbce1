import { hash } from "node:crypto";
import { eq } from "drizzle-orm";
import { hexToString, toHex, type Address } from "viem";
import { expect, test } from "vitest";
import { deployStation } from "../../../tests/support/chain/anvil.ts";
import { createAccount, createMachineId, seedChainMember } from "../../../tests/support/chain/chain-member.ts";
import { describeOnAnvil } from "../../../tests/support/chain/describe-on-anvil.ts";
import { decodeDocument } from "../../../tests/support/chain/did-document.ts";
import { createStationTest } from "../../../tests/support/chain/station-test.ts";
import { chainJobs, machineIdentities } from "../../db/schema.ts";
import { readMachineIdentity } from "../../machine-id/contract.ts";

describeOnAnvil("on a chain", (on) => {
  test("a Machine ID that an earlier request had registered is served and kept as the member signed that one", async () => {
    const { db } = on.database;
    const { api, chain, settle } = createStationTest(on.database, on.anvil, { factory: await deployStation(on.anvil) });
    const member = await seedChainMember(api.deps);
    const { token, user } = member;
    await createAccount(api, member);
    await settle();
    const signIdentity = async () => {
      await createMachineId(api, member);
      await settle();
      return (await api.read(readMachineIdentity, { token })).data;
    };
    const first = await signIdentity();
    const [kept] = await db.select().from(machineIdentities);
    // As if it had been thought lost.
    await db.update(chainJobs).set({ state: "failed", completedAt: null }).where(eq(chainJobs.kind, "execute"));

    const second = await signIdentity();
    const { depinpair_signature, email_signature, did_name, public_address } = first ?? {};
    expect(second).toMatchObject({ depinpair_signature, email_signature, did_name, public_address });
    const record = await chain.readIdentity(public_address as Address, toHex(did_name ?? ""));
    const document = decodeDocument(Buffer.from(hexToString(record?.value ?? "0x"), "hex"));
    expect(document.signature?.hash).toBe(second?.email_signature);

    const [identity] = await db.select().from(machineIdentities);
    const { calldata, nonce, signedAt, emailSalt = Buffer.alloc(0) } = identity ?? {};
    expect({ calldata, nonce, signedAt }).toEqual({
      calldata: kept?.calldata,
      nonce: kept?.nonce,
      signedAt: kept?.signedAt,
    });
    const secret = hash("sha256", Buffer.concat([emailSalt, Buffer.from(user.email)]));
    expect(await chain.attest(`The owner's email address, mixed with a secret: ${secret}`)).toBe(email_signature);
  });
});
