import { afterAll, expect, test } from "vitest";
import { createTestApi, seedMember } from "../../tests/support/api.ts";
import { createTestDatabase } from "../../tests/support/test-database.ts";
import { MOST_DEVICES, readDevices, registerDevice, revokeDevice } from "./contract.ts";

const database = await createTestDatabase();
afterAll(() => database.close());

test.each([
  [{ publicUrl: "https://nodebeat.example" }, "https://nodebeat.example"],
  [{}, undefined],
])(
  "a key comes with the address that nodes reach the server at, as far as the server knows it",
  async (env, address) => {
    const api = createTestApi(database, { env });
    const { token } = await seedMember(api.deps);
    const made = await api.read(registerDevice, { token, body: { name: "attic" } });
    expect(made.deviceKey).toMatch(/^nbd_[\w-]{43}$/);
    expect(made.address).toBe(address);
  },
);

test("a member has so many keys at most, also when all are asked for at once, until one is revoked", async () => {
  const api = createTestApi(database);
  const [{ token }, other] = [await seedMember(api.deps), await seedMember(api.deps)];
  const make = (by = token) => api.call(registerDevice, { token: by, body: { name: "attic" } });
  const asked = Array.from({ length: MOST_DEVICES - 5 }, () => make());
  expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]));

  const last = await Promise.all(Array.from({ length: 50 }, () => make()));
  expect(last.filter(({ status }) => status === 200)).toHaveLength(5);
  expect(last.find(({ status }) => status !== 200)).toMatchObject({
    status: 409,
    body: { message: "You already have keys for 100 machines. Revoke one that you no longer use." },
  });
  expect(await make(other.token)).toMatchObject({ status: 200 });

  const { devices } = await api.read(readDevices, { token });
  expect(devices).toHaveLength(MOST_DEVICES);
  await api.read(revokeDevice, { token, params: { id: devices[0]?.id ?? "" } });
  expect(await make()).toMatchObject({ status: 200 });
});
