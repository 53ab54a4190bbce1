import { afterAll, expect, test, vi } from "vitest";
import { onboardMember } from "../server/onboarding/service.ts";
import { createTestApi } from "../tests/support/api.ts";
import { seedRichMember } from "../tests/support/rich-member.ts";
import { createTestDatabase } from "../tests/support/test-database.ts";
import { createTestPages, createVisitor } from "../tests/support/test-pages.ts";
import { PAGES } from "./pages.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
const pages = createTestPages("embedded", api);
afterAll(() => database.close());

/** Of a page, before its first byte. A round is what is asked at once: the next needs something of its answer. */
const STATEMENTS = 6;
const ROUNDS = 2;

const { user, token } = await seedRichMember(api);
await onboardMember(api.deps, user.id);
const visitor = createVisitor(pages);
await visitor.begin({ accessToken: token, userId: user.id });

/** Counts what is asked of the database while `act` runs: each statement's round. */
async function watchStatements(act: () => Promise<unknown>): Promise<number[]> {
  const rounds: number[] = [];
  let answered = 0;
  const query: (...statement: unknown[]) => Promise<unknown> = database.pool.query.bind(database.pool);
  const spy = vi.spyOn(database.pool, "query");
  // oxlint-disable-next-line typescript/no-misused-promises -- the types know its oldest form alone, with a callback
  spy.mockImplementation(async (...statement: unknown[]) => {
    const round = answered + 1;
    rounds.push(round);
    const answer = await query(...statement);
    answered = Math.max(answered, round);
    return answer;
  });
  try {
    await act();
  } finally {
    spy.mockRestore();
  }
  return rounds;
}

test.each(PAGES.map(({ path }) => path.replace("/:version?", "")))("%s", async (path) => {
  const rounds = await watchStatements(async () => {
    const response = await visitor.get(path);
    expect(response.status).toBe(200);
    await response.text();
  });
  expect(rounds.length).toBeGreaterThan(0);
  expect(rounds.length).toBeLessThanOrEqual(STATEMENTS);
  expect(Math.max(...rounds)).toBeLessThanOrEqual(ROUNDS);
});
