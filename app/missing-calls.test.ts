import { afterAll, expect, test } from "vitest";
import { issueBotCheck, forgotPassword } from "../server/auth/contract.ts";
import { readSecurityActivity } from "../server/security-activity/contract.ts";
import { readSessions } from "../server/sessions/contract.ts";
import { readWalletMessage } from "../server/wallet/contract.ts";
import { createTestApi } from "../tests/support/api/api.ts";
import { createTestDatabase } from "../tests/support/database/test-database.ts";
import {
  createVisitor,
  describePagesOver,
  findField,
  readPage,
  readText,
  TRANSPORTS,
} from "../tests/support/pages/test-pages.ts";

/* Tests what pages say and do if the backend does not have a call (docs/decisions/0036). */

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

const missing = () => Response.json({ message: "Not Found", error: "NOT_FOUND", statusCode: 404 }, { status: 404 });

describePagesOver(TRANSPORTS, database, api, ({ pages, visitMember }) => {
  test("a card whose call is missing says so, dependent cards are hidden, and the call is not repeated", async () => {
    const { visitor } = await visitMember();
    pages.override(readSessions, missing);
    pages.override(readSecurityActivity, missing);
    const { status, text, html } = await readPage(visitor, "/profile");
    expect(status).toBe(200);
    expect(text.match(/This is not available here\./g)).toHaveLength(2);
    expect(html).not.toMatch(
      /id="(?:your-data|delete-account)"|href="#(?:your-data|delete-account)"|name="currentPassword"/,
    );
    // Each entry of the page's contents leads somewhere.
    const [contents = ""] = /<ul class="contents-list">.*?<\/ul>/s.exec(html) ?? [];
    const targets = Array.from(contents.matchAll(/href="#([^"]*)"/g), ([, id]) => id);
    expect(targets).toEqual(expect.arrayContaining(["devices", "sessions", "security-activity"]));
    for (const id of targets) expect(html).toContain(`id="${id}"`);
    expect(pages.calls).toContain("GET /api/auth/sessions");

    pages.calls.length = 0;
    expect((await readPage(visitor, "/profile")).status).toBe(200);
    expect(pages.calls).not.toContain("GET /api/auth/sessions");
    expect(pages.calls).not.toContain("GET /api/auth/security-activity");
    expect(pages.calls).toContain("GET /api/heartbeats/devices");
  });

  test("if the backend has no bot check, a form carries a token that says so", async () => {
    pages.override(issueBotCheck, missing);
    const { status, html } = await readPage(createVisitor(pages), "/auth");
    expect(status).toBe(200);
    expect(findField(html, "turnstileToken")?.value).toBe("not-checked");
  });

  test("a form says that it is not available if its call answers 404, and stays open for other visitors", async () => {
    pages.override(forgotPassword, missing);
    pages.calls.length = 0;
    for (const email of ["ada@nodebeat.test", "ben@nodebeat.test"]) {
      const visitor = createVisitor(pages);
      const { html } = await readPage(visitor, "/auth/forgot-password");
      const turnstileToken = findField(html, "turnstileToken")?.value ?? "";
      const response = await visitor.post("/auth/forgot-password", { email, turnstileToken, name__confirm: "" });
      expect(readText(await response.text())).toContain("This is not available here.");
    }
    expect(pages.calls.filter((call) => call === `POST ${forgotPassword.path}`)).toHaveLength(2);
  });
});

describePagesOver(
  TRANSPORTS,
  database,
  api,
  ({ pages, visitMember }) => {
    test("if the backend has no bot check, a form uses Turnstile if a site key is configured", async () => {
      pages.override(issueBotCheck, missing);
      const { status, html, text } = await readPage(createVisitor(pages), "/auth");
      expect(status).toBe(200);
      expect(findField(html, "turnstileToken")).toBeUndefined();
      expect(text).toContain("This form is protected by a check that needs JavaScript.");
    });

    test("a message to sign names the public URL, not the origin in the request", async () => {
      const { visitor, user } = await visitMember();
      pages.override(readWalletMessage, missing);
      const response = await visitor.post("/wallet/link", {
        intent: "request",
        address: `0x${"1".repeat(40)}`,
        origin: "https://elsewhere.test",
        member: user.id,
      });
      const { message } = (await response.json()) as { message: string };
      expect(message).toMatch(/^members\.nodebeat\.test wants you to sign in/);
      expect(message).toContain("\nURI: http://members.nodebeat.test\n");
    });
  },
  { turnstileSiteKey: "site", publicUrl: "http://members.nodebeat.test" },
);
