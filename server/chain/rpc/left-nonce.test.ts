import { isHex } from "viem";
import { expect, test } from "vitest";
import { deployStation } from "../../../tests/support/chain/anvil.ts";
import { describeOnAnvil } from "../../../tests/support/chain/describe-on-anvil.ts";
import { createAccount, seedChainMember } from "../../../tests/support/chain/chain-member.ts";
import { createStationTest } from "../../../tests/support/chain/station-test.ts";
import { eraseAtOnce } from "../../../tests/support/api/jobs.ts";
import { readSmartAccount } from "../../machine-id/contract.ts";

describeOnAnvil("after a member is deleted", (on) => {
  test("later transactions go through, even if the deleted member's one never reached the network", async () => {
    const { advance, api, listDeployed, readJobs, settle } = createStationTest(on.database, on.anvil, {
      factory: await deployStation(on.anvil),
    });
    const [gone, behind] = [await seedChainMember(api.deps), await seedChainMember(api.deps)];
    await createAccount(api, gone);
    await advance();
    await createAccount(api, behind);
    await advance();
    const [lost, waiting] = await readJobs();
    expect(waiting).toMatchObject({ state: "sent", senderNonce: (lost?.senderNonce ?? 0) + 1 });
    if (!isHex(lost?.txHash)) throw new Error("Nothing was sent");
    await on.anvil.client.dropTransaction({ hash: lost.txHash });
    await eraseAtOnce(api.deps, gone.user.id);

    await settle();
    expect(await api.read(readSmartAccount, { token: behind.token })).toMatchObject({ status: "completed" });
    expect(await listDeployed()).toHaveLength(1);
  });
});
