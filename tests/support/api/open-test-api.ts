import { afterAll, beforeEach } from "vitest";
import { createTestApi, createTestClock } from "./api.ts";
import { createMailbox } from "./mailbox.ts";
import { createTestDatabase } from "../database/test-database.ts";

/** Opens an API with its clock and its mailbox, on a database that is empty at the start of each test in the file. */
export async function openTestApi(overrides: Parameters<typeof createTestApi>[1] = {}, start?: string) {
  const database = await createTestDatabase();
  const clock = createTestClock(start);
  const api = createTestApi(database, { now: clock.now, ...overrides });
  const mailbox = createMailbox(api.deps);
  beforeEach(async () => {
    mailbox.mails.length = 0;
    await database.reset();
  });
  afterAll(() => database.close());
  return { api, clock, database, mailbox };
}
