import { afterAll, beforeAll, describe } from "vitest";
import { createTestDatabase, type TestDatabase } from "../database/test-database.ts";
import { hasAnvil, startAnvil, type Anvil } from "./anvil.ts";

/** A chain and a database for some tests. Both exist only while the tests run. */
type OnAnvil = { readonly anvil: Anvil; readonly database: TestDatabase };

/** Describes tests that share a new chain and a database. Skips them if there is no anvil. */
export function describeOnAnvil(name: string, tests: (on: OnAnvil) => void): void {
  describe.skipIf(!hasAnvil)(`${name} (on anvil, which is here for Linux on x64 alone)`, () => {
    let anvil: Anvil;
    let database: TestDatabase;
    beforeAll(async () => {
      database = await createTestDatabase();
      anvil = await startAnvil();
    });
    afterAll(async () => {
      await anvil.stop();
      await database.close();
    });
    tests({
      get anvil() {
        return anvil;
      },
      get database() {
        return database;
      },
    });
  });
}
