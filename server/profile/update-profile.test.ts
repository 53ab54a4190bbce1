import { expect, test } from "vitest";
import { seedMember } from "../../tests/support/api/api.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { ProfileInput, readProfile, readUser, updateProfile } from "./contract.ts";

const { api, clock } = await openTestApi();

const NOTHING = {
  full_name: null,
  username: null,
  discord_username: null,
  telegram_handle: null,
  x_handle: null,
  website: null,
  avatar_url: null,
};

// specification: 1.8
test("a member can fill in every field of the profile and clear it again", async () => {
  const { token } = await seedMember(api.deps);
  const body = {
    full_name: "Ada Lovelace",
    username: "ada",
    discord_username: "ada.l",
    telegram_handle: "ada_tg",
    x_handle: "ada_x",
    website: "https://ada.example/",
    avatar_url: "ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi",
  };
  clock.advance(5000);
  const saved = await api.read(updateProfile, { token, body });
  expect(saved).toMatchObject({ ...body, updated_at: clock.now().toISOString() });
  expect(await api.read(readUser, { token })).toEqual(saved);
  expect(await api.read(updateProfile, { token, body: {} })).toMatchObject(NOTHING);
});

test.each([
  ["telegram_handle", "@Ada_tg", "Ada_tg"],
  ["telegram_handle", "https://t.me/ada_tg?start=1", "ada_tg"],
  ["x_handle", "  https://www.twitter.com/ada_x/ ", "ada_x"],
  ["x_handle", "x.com/ada_x", "ada_x"],
  ["discord_username", "@ada#0001", "ada#0001"],
  ["website", "ada.example", "https://ada.example/"],
  ["website", "HTTP://Ada.Example/a", "http://ada.example/a"],
  ["website", `ada.example/${"a".repeat(280)}`, `https://ada.example/${"a".repeat(280)}`],
  ["full_name", "  Ada   ", "Ada"],
  ["full_name", "علی\u200Cرضا محمدی", "علی\u200Cرضا محمدی"],
  ["full_name", "👩\u200D🚀 Ada", "👩\u200D🚀 Ada"],
  ["full_name", "Jose\u0301", "José"],
  ["username", "हिन्दी", "हिन्दी"],
  ["username", "Jose\u0301", "José"],
  ["username", "", null],
  ["website", "   ", null],
  ["full_name", "a".repeat(80), "a".repeat(80)],
  ["username", "a".repeat(30), "a".repeat(30)],
  ["telegram_handle", "ada_5", "ada_5"],
  ["telegram_handle", "a".repeat(32), "a".repeat(32)],
  ["x_handle", "a".repeat(15), "a".repeat(15)],
  ["discord_username", "a".repeat(32), "a".repeat(32)],
])("%s entered as %j is stored as %j", async (field, typed, kept) => {
  const { token } = await seedMember(api.deps);
  expect(await api.read(updateProfile, { token, body: { [field]: typed } })).toMatchObject({ [field]: kept });
});

test.each([
  ["telegram_handle", "1ada_5", /begins with a letter/],
  ["telegram_handle", "ada4", /Telegram/],
  ["telegram_handle", "a".repeat(33), /Telegram/],
  ["telegram_handle", "https://evil.example/ada_tg", /Telegram/],
  ["x_handle", "a name that is too long", /X name/],
  ["x_handle", "a".repeat(16), /X name/],
  ["discord_username", "a".repeat(33), /Discord/],
  ["discord_username", "a", /Discord/],
  ["website", "javascript:alert(1)", /address of a website/],
  ["website", "https://user:secret@ada.example", /address of a website/],
  ["website", "localhost", /address of a website/],
  ["website", `ada.example/${"a".repeat(285)}`, /300 characters/],
  ["website", `ada.example/${"日".repeat(40)}`, /300 characters/],
  ["avatar_url", "https://ada.example/a.png", /an ipfs link/],
  ["avatar_url", "data:image/png;base64,AAAA", /an ipfs link/],
  ["full_name", "a\u202Eb", /letters/],
  ["full_name", "\u200D", /letters/],
  ["full_name", "Ada \u200C", /letters/],
  ["username", "\u0301ada", /letters/],
  ["username", `x${"\u0301".repeat(4)}`, /letters/],
  ["full_name", "a".repeat(81), /at most 80/],
  ["username", "a", /letters/],
  ["username", "a".repeat(31), /letters/],
  ["username", "<script>", /letters/],
])("%s entered as %j is rejected with a message for its field, and nothing changes", async (field, typed, message) => {
  const { token } = await seedMember(api.deps, { username: "ada" });
  const answer = await api.call(updateProfile, { token, body: { username: "other", [field]: typed } });
  expect(answer).toMatchObject({ status: 400, body: { fields: { [field]: [expect.stringMatching(message)] } } });
  expect(await api.read(readUser, { token })).toMatchObject({ username: "ada" });
});

test("a name of hundreds of thousands of combining marks is rejected without delay", { timeout: 30_000 }, () => {
  const username = `a${"\u0301".repeat(200_000)}${"\u0323".repeat(200_000)}`;
  expect(ProfileInput.safeParse({ username }).success).toBe(false);
});

test("rejects an unknown field by name, so that a typo does not clear the intended field", async () => {
  const { token } = await seedMember(api.deps, { username: "ada" });
  const answer = await api.call(updateProfile, { token, body: { usernme: "ada_king" } });
  const message = 'There is no field "usernme".';
  expect(answer).toMatchObject({
    status: 400,
    body: { error: "VALIDATION_ERROR", message, fields: { "": [message] } },
  });
  expect(await api.read(readUser, { token })).toMatchObject({ username: "ada" });
});

test("returns only the caller's own profile, and accepts it back unchanged", async () => {
  const { token } = await seedMember(api.deps);
  const ben = await seedMember(api.deps);
  await api.read(updateProfile, { token, body: { full_name: "Ada Lovelace", x_handle: "@ada_x" } });

  const profile = await api.read(readProfile, { token });
  expect(profile).toEqual({
    full_name: "Ada Lovelace",
    username: null,
    discord_username: null,
    telegram_handle: null,
    x_handle: "ada_x",
    website: null,
    avatar_url: null,
    updated_at: expect.any(String),
  });
  expect(await api.read(readProfile, { token: ben.token })).toMatchObject({ full_name: null, x_handle: null });
  expect((await api.call(readProfile)).status).toBe(401);
  // A profile that was read can be sent back unchanged.
  expect(await api.read(updateProfile, { token, body: profile })).toMatchObject({ full_name: "Ada Lovelace" });
});
