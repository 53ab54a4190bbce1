import { afterAll, expect, test } from "vitest";
import { BY_OPERATOR } from "../../tests/support/api/administration.ts";
import { createTestApi, createTestClock, seedMember } from "../../tests/support/api/api.ts";
import { sendCheckedForm } from "../../tests/support/pages/checked-form.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { createVisitor, describePages, listFields, readPage } from "../../tests/support/pages/test-pages.ts";
import { addAdministrator } from "../../server/administration/service.ts";
import { PASSWORD_MAX_LENGTH } from "../../server/password-rules/contract.ts";

const database = await createTestDatabase();
const clock = createTestClock();
const api = createTestApi(database, { now: clock.now });
afterAll(() => database.close());

/** A browser counts each of its characters as two, and cuts off what does not fit a field. */
const LONGEST = "🫀".repeat(PASSWORD_MAX_LENGTH);

/** Returns what is left of it in each field of that name on a page. */
const type = (html: string, name: string): string[] =>
  listFields(html)
    .filter((field) => field.name === name)
    .map(({ maxLength }) => LONGEST.slice(0, Number(maxLength ?? Infinity)));

describePages(database, api, ({ pages, visitMember }) => {
  test("a member signs in with the longest allowed password", async () => {
    const { user } = await seedMember(api.deps, { password: LONGEST });
    const visitor = createVisitor(pages);
    const [password = ""] = type((await readPage(visitor, "/auth")).html, "password");
    expect((await sendCheckedForm(visitor, clock, "/auth", { email: user.email, password })).status).toBe(303);
  });

  test("an administrator re-enters the longest allowed password", async () => {
    const { user, token } = await seedMember(api.deps, { password: LONGEST });
    await addAdministrator(api.deps, BY_OPERATOR, { member: user.id });
    const visitor = createVisitor(pages);
    await visitor.begin({ accessToken: token, userId: user.id });
    const [password = ""] = type((await readPage(visitor, "/admin")).html, "password");
    expect((await visitor.post("/admin", { member: user.id, password })).status).toBe(303);
  });

  test.each([
    ["/profile", ["currentPassword", "password"]],
    ["/profile/email", ["password"]],
    ["/profile/delete", ["password"]],
  ])("the password fields of %s fit the longest allowed password", async (path, names) => {
    const { visitor } = await visitMember();
    const { html } = await readPage(visitor, path);
    for (const name of names) expect([name, type(html, name)]).toEqual([name, [LONGEST]]);
  });
});
