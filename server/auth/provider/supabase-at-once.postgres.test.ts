import { afterAll, expect, test } from "vitest";
import { seedMember } from "../../../tests/support/api.ts";
import { watchLocks } from "../../../tests/support/lock-watch.ts";
import { createProviderTest, PASSWORD } from "../../../tests/support/supabase/provider-test.ts";

const scene = await createProviderTest();
const { api, database, supabase } = scene;
afterAll(() => scene.close());

/** Somebody whom Supabase knows, and who has not come here with it yet. */
async function joinSupabase(email: string) {
  supabase.signUp(email, PASSWORD);
  const { tokenHash } = await supabase.mailTo(email);
  supabase.verify({ token_hash: tokenHash, type: "signup" });
}

test.for(["is new here", "was a member before Supabase"])(
  "who %s and signs in twice at once is one member, and both times signed in",
  async (who) => {
    const email = scene.newAddress();
    await joinSupabase(email);
    if (who !== "is new here") await seedMember(api.deps, { email });
    const { block, hold } = watchLocks(database);
    // Members can be read, and neither made nor changed.
    const release = await hold("lock table users in share mode");
    const [first] = await block(() => scene.signIn(email));
    const [second] = await block(() => scene.signIn(email));
    await release();
    const answers = await Promise.all([first, second]);
    expect(answers).toMatchObject([{ status: 200 }, { status: 200, body: { user: { email } } }]);
  },
);
