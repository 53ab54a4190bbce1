import { expect, test } from "vitest";
import { seedMember } from "../../tests/support/api/api.ts";
import { tokenOf } from "../../tests/support/api/mailbox.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { sendCheckedForm } from "../../tests/support/pages/checked-form.ts";
import { createVisitor, describePages, readPage, readText } from "../../tests/support/pages/test-pages.ts";

const { api, clock, database, mailbox } = await openTestApi();
const email = "ada@nodebeat.test";

describePages(database, api, ({ pages }) => {
  test.each([
    ["/auth/verify?code=nbv_some", "a day", 24 * 60 * 60],
    ["/auth/reset-password?token=nbl_some", "an hour", 60 * 60],
  ])("a browser keeps the link %s as long as it works: %s", async (address, _, seconds) => {
    const opened = await createVisitor(pages).get(address);
    expect(opened.headers.getSetCookie()).toEqual([expect.stringContaining(`; Max-Age=${seconds}; `)]);
  });

  test("asks to open the link of a sign-up again if the browser no longer has it", async () => {
    const visitor = createVisitor(pages);
    const told = async () => {
      const response = await visitor.post("/auth/verify", { intent: "link" });
      expect(response.status).toBe(410);
      return readText(await response.text());
    };
    expect(await told()).toMatch(/Open the link in the email again .* Sign up again Sign in/);
    expect((await readPage(visitor, "/auth/verify")).text).toContain("If you have our email, open the link in it.");
    expect(pages.calls).toEqual([]);

    await sendCheckedForm(visitor, clock, "/auth/signup", { email, password: "a pass phrase of mine" });
    expect(await told()).toMatch(/Open the link in the email again .* Enter the code Sign up again Sign in/);
  });

  test("asks to open the link of a reset again, unless its button was pressed twice", async () => {
    const open = (visitor = createVisitor(pages)) => visitor.post("/auth/reset-password", { intent: "open" });
    expect((await open()).headers.get("Location")).toBe("/auth/forgot-password?lost");
    const { text } = await readPage(createVisitor(pages), "/auth/forgot-password?lost");
    expect(text).toContain("Open it from our email again, or ask for a new one here.");

    await seedMember(api.deps, { email });
    const visitor = createVisitor(pages);
    await sendCheckedForm(visitor, clock, "/auth/forgot-password", { email });
    await visitor.get(`/auth/reset-password?token=${tokenOf(await mailbox.read(email))}`);
    for (const _ of ["once", "twice"])
      expect((await open(visitor)).headers.get("Location")).toBe("/auth/reset-password");
  });
});
