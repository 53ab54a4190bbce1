import { afterAll, expect, test } from "vitest";
import { createTestApi } from "../../tests/support/api.ts";
import { html } from "../../tests/support/app-under-test.ts";
import { createTestDatabase } from "../../tests/support/test-database.ts";
import { compose } from "../boot/compose.ts";
import { createLog } from "./log.ts";

const database = await createTestDatabase();
afterAll(() => database.close());

test("what a page, its calls and what they use have to say is joined by the id of the page's request", async () => {
  const lines: string[] = [];
  const log = createLog({ level: "debug", destination: { write: (line) => void lines.push(line) } });
  const { deps } = createTestApi(database, { log });
  const app = compose({
    deps,
    database,
    createPages:
      ({ openEmbedded }) =>
      async (_, scope) => {
        scope.log.info("of the page");
        deps.log.info("of a service");
        await openEmbedded(scope.clientAddress)(new Request("http://embedded.invalid/api/user"));
        return html("<h1>Page</h1>");
      },
    staticFiles: new Map(),
    isLeaving: () => false,
    stopping: new AbortController().signal,
  });
  const response = await app.request("/dashboard");
  deps.log.info("of nobody");

  const told = lines.map((line): { msg: string; requestId?: string } => JSON.parse(line));
  expect(told.map(({ msg }) => msg)).toEqual(["of the page", "of a service", "refused", "request", "of nobody"]);
  const id = response.headers.get("X-Request-Id");
  expect(told.map(({ requestId }) => requestId)).toEqual([id, id, id, id, undefined]);
  for (const line of lines) expect(line.match(/requestId/g)?.length ?? 0).toBeLessThan(2);
});
