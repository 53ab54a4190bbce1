import { afterAll, expect, test } from "vitest";
import { seedMember } from "../../../tests/support/api/api.ts";
import { watchLocks } from "../../../tests/support/database/lock-watch.ts";
import { createProviderTest } from "../../../tests/support/supabase/provider-test.ts";
import { erasePersonalData } from "../../account-data/erase.queries.ts";
import { users } from "../../db/schema.ts";
import { inTransaction } from "../../db/transaction.ts";
import { LoginResult } from "../contract.ts";

const scene = await createProviderTest();
const { api, database } = scene;
afterAll(() => scene.close());

test.for(["is new here", "was a member before Supabase"])(
  "two concurrent sign-ins of a user who %s both succeed as one member",
  async (who) => {
    const email = await scene.joinSupabase();
    if (who !== "is new here") await seedMember(api.deps, { email });
    const before = await database.db.$count(users);
    const { block, hold } = watchLocks(database);
    // Members can be read, but neither created nor changed.
    const release = await hold("lock table users in share mode");
    const [first] = await block(() => scene.signIn(email));
    const [second] = await block(() => scene.signIn(email));
    await release();
    const answers = await Promise.all([first, second]);
    expect(answers).toMatchObject([{ status: 200 }, { status: 200, body: { user: { email } } }]);
    const ids = answers.map((answer) => LoginResult.parse(answer?.body).user.id);
    expect(new Set(ids).size).toBe(1);
    expect(await database.db.$count(users)).toBe(before + (who === "is new here" ? 1 : 0));
  },
);

test("a sign-in concurrent with the deletion of its account creates a new member", async () => {
  const { email, user } = await scene.join();
  const [isEmpty, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const deletion = inTransaction(database.db, async (tx) => {
    await erasePersonalData(tx, { userId: user.id, now: scene.clock.now() });
    isEmpty.resolve();
    await end.promise;
  });
  await isEmpty.promise;
  const [signingIn] = await watchLocks(database).block(() => scene.signIn(email));
  end.resolve();
  await deletion;
  const answer = await signingIn;
  expect(answer).toMatchObject({ status: 200, body: { user: { email } } });
  expect(answer).not.toMatchObject({ body: { user: { id: user.id } } });
});
