import { expect, test } from "vitest";
import { seedMember } from "../../tests/support/api/api.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { registerDevice, revokeDevice } from "../heartbeats/contract.ts";
import { readUser } from "./contract.ts";

const { api } = await openTestApi({}, "2026-11-20T12:00:00.123Z");

// specification: 1.4, 3.1, 3.2, 3.3, 3.4, 3.5, 7.9
test("a new member has only an address and a personal code", async () => {
  const { token, user } = await seedMember(api.deps, { email: "Ada@nodebeat.test" });

  expect(await api.read(readUser, { token })).toEqual({
    id: user.id,
    email: "Ada@nodebeat.test",
    avatar_url: null,
    campaign_email: null,
    discord_userid: null,
    discord_username: null,
    full_name: null,
    invited_by: null,
    personal_code: expect.stringMatching(/^\w{5}$/),
    telegram_handle: null,
    updated_at: "2026-11-20T12:00:00.123Z",
    username: null,
    wallet: null,
    website: null,
    x_handle: null,
    total_points_done: false,
    hasMachineId: false,
  });
});

// specification: 3.1, 3.4
test("returns every detail of the caller", async () => {
  const inviter = await seedMember(api.deps, { username: "inviter" });
  const { token } = await seedMember(api.deps, {
    avatarUrl: "https://cdn.nodebeat.test/ada.png",
    campaignEmail: "news@nodebeat.test",
    discordUserid: "80351110224678912",
    discordUsername: "ada#0001",
    fullName: "Ada Lovelace",
    referralCode: inviter.user.personal_code ?? "",
    telegramHandle: "ada_tg",
    username: "ada",
    wallet: "0x52908400098527886E0F7030069857D2E4169EE7",
    website: "https://ada.nodebeat.test",
    xHandle: "ada_x",
    totalPointsDone: true,
  });

  expect(await api.read(readUser, { token })).toMatchObject({
    avatar_url: "https://cdn.nodebeat.test/ada.png",
    campaign_email: "news@nodebeat.test",
    discord_userid: "80351110224678912",
    discord_username: "ada#0001",
    full_name: "Ada Lovelace",
    invited_by: inviter.user.id,
    telegram_handle: "ada_tg",
    username: "ada",
    wallet: "0x52908400098527886E0F7030069857D2E4169EE7",
    website: "https://ada.nodebeat.test",
    x_handle: "ada_x",
    total_points_done: true,
    hasMachineId: false,
  });
});

test("returns callers their own profile, whichever member they name", async () => {
  const [ada, ben] = [await seedMember(api.deps, { username: "ada" }), await seedMember(api.deps)];
  const query = { id: ada.user.id, userId: ada.user.id, email: ada.user.email, username: "ada" };
  expect(await api.read(readUser, { token: ben.token, query })).toEqual(ben.user);
});

test("has_node_key is set while one of the member's own machines has a key", async () => {
  const [{ token }, other] = [await seedMember(api.deps), await seedMember(api.deps)];
  const { deviceId } = await api.read(registerDevice, { token, body: { name: "Attic" } });
  const hasKey = async (by: string) => (await api.read(readUser, { token: by })).has_node_key;
  expect([await hasKey(token), await hasKey(other.token)]).toEqual([true, undefined]);
  await api.read(revokeDevice, { token, params: { id: deviceId } });
  expect(await hasKey(token)).toBeUndefined();
});

test("refuses a caller without a session", async () => {
  expect(await api.call(readUser)).toMatchObject({ status: 401, body: { error: "UNAUTHENTICATED" } });
});
