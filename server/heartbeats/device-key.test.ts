import { afterAll, expect, test } from "vitest";
import { createTestApi, seedMember } from "../../tests/support/api.ts";
import { createTestDatabase } from "../../tests/support/test-database.ts";
import { registerDevice } from "./contract.ts";

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
