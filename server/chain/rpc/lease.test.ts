import { afterAll, expect, onTestFinished, test } from "vitest";
import { createTestClock } from "../../../tests/support/api/api.ts";
import { deployStation, hasAnvil, startAnvil } from "../../../tests/support/chain/anvil.ts";
import { createAccount, seedChainMember } from "../../../tests/support/chain/chain-member.ts";
import { startKillingProxy } from "../../../tests/support/chain/killing-proxy.ts";
import { createStationTest } from "../../../tests/support/chain/station-test.ts";
import { createTestDatabase } from "../../../tests/support/database/test-database.ts";

const database = await createTestDatabase();
afterAll(() => database.close());

test.skipIf(!hasAnvil)(
  "a process that lost its job to another while the network was silent writes nothing",
  async () => {
    const anvil = await startAnvil();
    onTestFinished(() => anvil.stop());
    const proxy = await startKillingProxy(anvil.url);
    const station = { factory: await deployStation(anvil), clock: createTestClock() };
    const slow = createStationTest(database, anvil, { ...station, rpcUrl: proxy.url });
    const next = createStationTest(database, anvil, station);
    await createAccount(next.api, await seedChainMember(next.api.deps));
    const silence = Promise.withResolvers<void>();
    proxy.killAt({ method: "eth_sendRawTransaction", when: "before" }, silence.resolve);

    const working = slow.advance();
    await silence.promise;
    await next.advance();
    const [taken] = await next.readJobs();
    expect(taken).toMatchObject({ state: "sent", attempts: 0 });
    await proxy.stop();
    await working;

    expect(await next.readJobs()).toEqual([taken]);
    await next.settle();
    expect(await next.listDeployed()).toHaveLength(1);
  },
);
