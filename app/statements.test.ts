import { afterAll, afterEach, expect, test, vi } from "vitest";
import { onboardMember } from "../server/onboarding/service.ts";
import { createTestApi } from "../tests/support/api/api.ts";
import { seedRichMember } from "../tests/support/seeds/rich-member.ts";
import { createTestDatabase } from "../tests/support/database/test-database.ts";
import { createTestPages, createVisitor } from "../tests/support/pages/test-pages.ts";
import { PAGES } from "./pages.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
const pages = createTestPages("embedded", api);
afterEach(() => pages.reset());
afterAll(() => database.close());

/** The limits for a page before its first byte. A round is what is asked at once; the next round needs its answer. */
const STATEMENTS = 6;
const ROUNDS = 2;

const { user, token } = await seedRichMember(api);
await onboardMember(api.deps, user.id);
const visitor = createVisitor(pages);
await visitor.begin({ accessToken: token, userId: user.id });

/** Records the round of each query. A round ends with the first answer to one of its queries. */
function createRounds() {
  const rounds: number[] = [];
  let answered = 0;
  async function note<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    const round = answered + 1;
    rounds.push(round);
    const answer = await ask();
    answered = Math.max(answered, round);
    return answer;
  }
  return { note, rounds };
}

/** Records what the database is asked while `act` runs. Returns the round of each statement. */
async function watchStatements(act: () => Promise<unknown>): Promise<number[]> {
  const { note, rounds } = createRounds();
  const query: (...statement: unknown[]) => Promise<unknown> = database.pool.query.bind(database.pool);
  const spy = vi.spyOn(database.pool, "query");
  // oxlint-disable-next-line typescript/no-misused-promises -- the types know only its oldest form, with a callback
  spy.mockImplementation((...statement: unknown[]) => note(() => query(...statement)));
  try {
    await act();
  } finally {
    spy.mockRestore();
  }
  return rounds;
}

async function openPage(path: string): Promise<void> {
  const response = await visitor.get(path);
  expect(response.status).toBe(200);
  await response.text();
}

const PATHS = PAGES.map(({ path }) => path.replace("/:version?", ""));

test.each(PATHS)("%s queries the database in at most two rounds and six statements", async (path) => {
  const rounds = await watchStatements(() => openPage(path));
  expect(rounds.length).toBeGreaterThan(0);
  expect(rounds.length).toBeLessThanOrEqual(STATEMENTS);
  expect(Math.max(...rounds)).toBeLessThanOrEqual(ROUNDS);
});

test.each(PATHS)("%s makes all of its backend calls concurrently", async (path) => {
  const { note, rounds } = createRounds();
  pages.override("everything", (request) => note(async () => api.fetchWithin(request)));
  await openPage(path);
  expect(rounds.length).toBeGreaterThan(0);
  expect(Math.max(...rounds)).toBe(1);
});
