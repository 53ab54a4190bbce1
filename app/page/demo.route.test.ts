import { afterAll, expect, test } from "vitest";
import { brand } from "../../brand.ts";
import { createTestApi } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { createVisitor, describePages, readPage } from "../../tests/support/pages/test-pages.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

describePages(
  database,
  api,
  ({ pages, visitMember }) => {
    test("a demo names its account at sign-in, and is labelled on every page after that", async () => {
      expect((await readPage(createVisitor(pages), "/auth")).text).toContain(
        `This is a demo with made-up data. Sign in as ${brand.demo.email} with the password that the server`,
      );
      const { visitor } = await visitMember();
      for (const path of ["/dashboard", "/faqs"]) expect((await readPage(visitor, path)).text).toContain(" · Demo ");
    });
  },
  { mode: "demo" },
);

describePages(database, api, ({ pages, visitMember }) => {
  test("an installation that is not a demo does not mention one", async () => {
    expect((await readPage(createVisitor(pages), "/auth")).text).not.toContain("demo");
    const { visitor } = await visitMember();
    expect((await readPage(visitor, "/dashboard")).text).not.toContain("Demo");
  });
});
