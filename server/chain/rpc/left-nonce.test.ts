import { isHex } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deployStation, hasAnvil, startAnvil, type Anvil } from "../../../tests/support/chain/anvil.ts";
import { createAccount, seedChainMember } from "../../../tests/support/chain/chain-member.ts";
import { createStationTest } from "../../../tests/support/chain/station-test.ts";
import { eraseAtOnce } from "../../../tests/support/jobs.ts";
import { createTestDatabase } from "../../../tests/support/test-database.ts";
import { readSmartAccount } from "../../machine-id/contract.ts";

describe.skipIf(!hasAnvil)("behind a deleted member (on anvil, which is here for Linux on x64 alone)", () => {
  let anvil: Anvil;
  const opened = createTestDatabase();
  beforeAll(async () => {
    anvil = await startAnvil();
  });
  afterAll(async () => {
    await anvil.stop();
    await (await opened).close();
  });

  test("others' transactions go on, though the one before them never reached the network", async () => {
    const { advance, api, listDeployed, readJobs, settle } = createStationTest(await opened, anvil, {
      factory: await deployStation(anvil),
    });
    const [gone, behind] = [await seedChainMember(api.deps), await seedChainMember(api.deps)];
    await createAccount(api, gone);
    await advance();
    await createAccount(api, behind);
    await advance();
    const [lost, waiting] = await readJobs();
    expect(waiting).toMatchObject({ state: "sent", senderNonce: (lost?.senderNonce ?? 0) + 1 });
    if (!isHex(lost?.txHash)) throw new Error("Nothing was sent");
    await anvil.client.dropTransaction({ hash: lost.txHash });
    await eraseAtOnce(api.deps, gone.user.id);

    await settle();
    expect(await api.read(readSmartAccount, { token: behind.token })).toMatchObject({ status: "completed" });
    expect(await listDeployed()).toHaveLength(1);
  });
});
