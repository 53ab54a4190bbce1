import { afterAll, beforeEach, expect, test } from "vitest";
import { createTestApi, createTestClock } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import {
  createVisitor,
  describePages,
  findAction,
  findField,
  readPage,
  listUnreadMessages,
} from "../../tests/support/pages/test-pages.ts";
import { LEGAL_NOTES } from "./legal-words.ts";
import type { Visitor } from "../../tests/support/pages/test-pages.ts";
import {
  acceptPrivacy,
  acceptTerms,
  readLegalDocument,
  readPrivacyStatus,
  readTermsStatus,
} from "../../server/legal/contract.ts";

const database = await createTestDatabase();
let clock = createTestClock();
const api = createTestApi(database, { now: () => clock.now() });
beforeEach(() => {
  clock = createTestClock();
});
afterAll(() => database.close());

const DAY_MS = 24 * 60 * 60 * 1000;
const TERMS = "Updated Terms of Service";
const PRIVACY = "Updated Privacy Policy";
const STATUS_CALLS = [`GET ${readTermsStatus.path}`, `GET ${readPrivacyStatus.path}`];
const whitelisted = { whitelisted: true, accepted: [] };

/** Returns which questions a page asks, and whether the content behind them is inert. */
async function readQuestions(visitor: Visitor, path = "/dashboard") {
  const { html, text } = await readPage(visitor, path);
  return {
    // In one text node, so that a search of the HTML finds the title.
    asked: [TERMS, PRIVACY].filter((title) => html.includes(`>${title}</h2>`)),
    inert: /<div inert=""/.test(html),
    html,
    text,
  };
}

const answerOf = (response: Response) => [response.status, response.headers.get("Location")];

describePages(database, api, ({ pages, visitMember }) => {
  // specification: 2.45, 2.47, 4.15, 6.6
  test.each(["/dashboard", "/faqs", "/profile"])("%s asks a whitelisted member to accept the terms", async (path) => {
    const { visitor } = await visitMember(whitelisted);
    const { asked, inert, html, text } = await readQuestions(visitor, path);
    expect(asked).toEqual([TERMS]);
    expect(inert).toBe(true);
    expect(html).toMatch(/<dialog open=""[^>]*aria-labelledby="tos-title"/);
    expect(html).toContain('href="/terms/2"');
    expect(text).toContain("I accept the updated Terms of Service");
    expect(findField(html, "accept")).toMatchObject({ type: "checkbox", required: "" });
    expect(findAction(html, "accept")).toBe("/legal/terms");
    // Without a script, it must be possible to press it.
    expect(html).toMatch(/<button type="submit"[^>]*>Continue</);
    expect(html).not.toMatch(/<button[^>]*disabled=""[^>]*>Continue</);
    expect(html).toMatch(/<dialog.*action="\/auth\/logout".*<\/dialog>/s);
  });

  // specification: 2.49, 4.19
  test("once the terms are accepted, the page asks about the privacy policy, and then about nothing", async () => {
    const { visitor, token } = await visitMember(whitelisted);
    const first = await visitor.post("/legal/terms", { accept: "on", returnTo: "/faqs?x=1" });
    expect(answerOf(first)).toEqual([303, "/faqs?x=1"]);
    expect(await api.read(readTermsStatus, { token })).toMatchObject({ istosAccepted: true });

    const next = await readQuestions(visitor, "/faqs?x=1");
    expect(next.asked).toEqual([PRIVACY]);
    expect(next.text).toContain("Terms of Service accepted successfully");
    expect(next.html).toMatch(/<dialog open=""[^>]*aria-labelledby="pp-title"/);
    expect(findAction(next.html, "accept")).toBe("/legal/privacy");
    expect((await readQuestions(visitor)).text).not.toContain("accepted successfully");

    const second = await visitor.post("/legal/privacy", { accept: "on", returnTo: "/dashboard" });
    expect(answerOf(second)).toEqual([303, "/dashboard"]);
    expect(await api.read(readPrivacyStatus, { token })).toMatchObject({ isppAccepted: true });
    const { asked, inert, text } = await readQuestions(visitor);
    expect([asked, inert]).toEqual([[], false]);
    expect(text).toContain("Privacy Policy accepted successfully");
  });

  // specification: 4.19, 4.22
  test("asks a member who is not whitelisted only about the privacy policy", async () => {
    const { visitor } = await visitMember({ accepted: [] });
    expect((await readQuestions(visitor)).asked).toEqual([PRIVACY]);
  });

  test("asks a visitor nothing", async () => {
    expect((await readQuestions(createVisitor(pages), "/faqs")).asked).toEqual([]);
  });

  // specification: 5.5, 5.6, 5.8
  test.each([
    ["/legal/terms", "You must accept the Terms of Service to continue.", acceptTerms],
    ["/legal/privacy", "You must accept the Privacy Policy to continue.", acceptPrivacy],
  ])("%s without the box ticked redirects back, with the error beside it, once", async (action, message, call) => {
    const { visitor } = await visitMember({ whitelisted: action === "/legal/terms", accepted: [] });
    const response = await visitor.post(action, { returnTo: "/faqs" });
    expect(answerOf(response)).toEqual([303, "/faqs"]);

    const { html, text } = await readQuestions(visitor, "/faqs");
    expect(text).toContain(message);
    const box = findField(html, "accept");
    expect(box).toMatchObject({ "aria-invalid": "true", autofocus: "" });
    expect(html).toContain(`id="${box?.["aria-describedby"]}"`);
    expect(html).toMatch(new RegExp(`-error"[^>]*>${message}`));
    expect((await readQuestions(visitor, "/faqs")).text).not.toContain(message);
    expect(pages.calls).not.toContain(`POST ${call.path}`);
  });

  // specification: 8.40, 8.42
  test.each([
    ["/legal/terms", "Failed to update TOS acceptance. Please try again.", acceptTerms],
    ["/legal/privacy", "Failed to update PP acceptance. Please try again.", acceptPrivacy],
  ])("if %s cannot be saved, the dialog says so and stays open", async (action, message, call) => {
    const { visitor } = await visitMember({ whitelisted: action === "/legal/terms", accepted: [] });
    pages.override(call, () => Response.json({ success: false, message: "No." }));
    expect(answerOf(await visitor.post(action, { accept: "on", returnTo: "/faqs" }))).toEqual([303, "/faqs"]);
    const { html } = await readQuestions(visitor, "/faqs");
    expect(html).toMatch(new RegExp(`<dialog.*role="alert"[^>]*>${message}<.*</dialog>`, "s"));
    expect(visitor.cookies.has("tosAccepted") || visitor.cookies.has("ppAccepted")).toBe(false);
  });

  // specification: 5.25
  test("accepting the terms fails if the response cannot be read", async () => {
    const { visitor } = await visitMember(whitelisted);
    pages.override(acceptTerms, () => Response.json({ ok: "yes" }));
    await visitor.post("/legal/terms", { accept: "on", returnTo: "/faqs" });
    expect((await readQuestions(visitor, "/faqs")).text).toContain("Failed to update TOS acceptance.");
    expect(pages.log.error).toHaveBeenCalledWith(expect.anything(), "Parsed error");
  });

  // specification: 9.22, 9.32
  test("retries accepting the terms once if the API is unavailable", async () => {
    const { visitor } = await visitMember(whitelisted);
    pages.override(acceptTerms, () => Response.json({}, { status: 503 }));
    await visitor.post("/legal/terms", { accept: "on", returnTo: "/faqs" });
    expect(pages.calls.filter((call) => call === `POST ${acceptTerms.path}`)).toHaveLength(2);
  });

  // specification: 4.17
  test("a terms status that cannot be read counts as not accepted", async () => {
    const { visitor } = await visitMember({ whitelisted: true });
    pages.override(readTermsStatus, () => Response.json({ accepted: "perhaps" }));
    expect((await readQuestions(visitor)).asked).toEqual([TERMS]);
  });

  test("asks nothing if the statuses cannot be fetched", async () => {
    const { visitor } = await visitMember(whitelisted);
    pages.override(readTermsStatus, () => Response.error());
    pages.override(readPrivacyStatus, () => Response.error());
    expect((await readQuestions(visitor)).asked).toEqual([]);
  });

  // specification: 2.50, 2.51, 4.21
  test("skipping the privacy policy hides its question until the browser closes", async () => {
    const { visitor } = await visitMember({ accepted: [] });
    const { html } = await readQuestions(visitor);
    expect(html).toMatch(/<form[^>]*action="\/legal\/privacy\/skip".*aria-label="Close"/s);
    const response = await visitor.post("/legal/privacy/skip", { returnTo: "/faqs" });
    expect(answerOf(response)).toEqual([303, "/faqs"]);
    expect(response.headers.get("Set-Cookie")).not.toContain("Max-Age");
    expect((await readQuestions(visitor, "/faqs")).asked).toEqual([]);

    await visitor.post("/legal/privacy", { accept: "on", returnTo: "/faqs" });
    expect(visitor.cookies.has("ppSkipped")).toBe(false);
  });

  test("skipping the privacy policy does not skip the terms", async () => {
    const { visitor } = await visitMember(whitelisted);
    await visitor.post("/legal/privacy/skip", { returnTo: "/faqs" });
    expect((await readQuestions(visitor)).asked).toEqual([TERMS]);
  });

  test("remembers what was accepted, so that the next page does not ask the API", async () => {
    const { visitor, user } = await visitMember({ whitelisted: true });
    await visitor.get("/faqs");
    expect(visitor.cookies.get("tosAccepted")).toBe(user.id);
    expect(visitor.cookies.get("ppAccepted")).toBe(user.id);
    expect(pages.calls).toEqual(expect.arrayContaining(STATUS_CALLS));
    pages.calls.length = 0;
    expect((await readQuestions(visitor, "/faqs")).asked).toEqual([]);
    expect(pages.calls.filter((call) => STATUS_CALLS.includes(call))).toEqual([]);
  });

  test("what one member accepted or skipped does not count for the next member in the same browser", async () => {
    const { visitor } = await visitMember();
    await visitor.get("/faqs");
    await visitor.post("/legal/privacy/skip", { returnTo: "/faqs" });
    const next = await visitMember(whitelisted);
    await visitor.begin({ accessToken: next.token, userId: next.user.id });
    expect((await readQuestions(visitor)).asked).toEqual([TERMS]);
    await visitor.post("/legal/terms", { accept: "on", returnTo: "/faqs" });
    expect((await readQuestions(visitor)).asked).toEqual([PRIVACY]);
  });

  test("a flag in the browser does not accept the terms", async () => {
    const { visitor, user, token } = await visitMember(whitelisted);
    visitor.cookies.set("tosAccepted", user.id);
    await visitor.get("/dashboard");
    expect(await api.read(readTermsStatus, { token })).toMatchObject({ istosAccepted: false });
  });

  test("responds with the outcome as JSON to a script that asks for it", async () => {
    const { visitor } = await visitMember(whitelisted);
    const post = async (body: Record<string, string>) => {
      const headers = { Accept: "application/json" };
      const response = await visitor.send("/legal/terms", { method: "POST", headers, body: new URLSearchParams(body) });
      return [response.status, await response.json()];
    };
    expect(await post({})).toEqual([400, { outcome: "required" }]);
    pages.override(acceptTerms, () => Response.error());
    expect(await post({ accept: "on" })).toEqual([503, { outcome: "failed" }]);
    pages.reset();
    expect(await post({ accept: "on" })).toEqual([200, { outcome: "accepted" }]);
    expect(listUnreadMessages(visitor, LEGAL_NOTES.tos)).toEqual([]);
  });

  test("never redirects to another site, and rejects a body that is not a form", async () => {
    const { visitor } = await visitMember(whitelisted);
    for (const action of ["/legal/terms", "/legal/privacy", "/legal/privacy/skip"]) {
      const response = await visitor.post(action, { accept: "on", returnTo: "//evil.test/" });
      expect(answerOf(response)).toEqual([303, "/dashboard"]);
      expect((await visitor.send(action, { method: "POST", body: "nonsense" })).status).toBe(400);
      expect(answerOf(await visitor.get(action))).toEqual([302, "/"]);
    }
  });

  test.each(["/legal/terms", "/legal/privacy"])(
    "%s with a session that has ended redirects to sign-in and back",
    async (action) => {
      const { visitor, user } = await visitMember(whitelisted);
      await visitor.begin({ accessToken: "nbs_gone", userId: user.id });
      const response = await visitor.post(action, { accept: "on", returnTo: "/faqs" });
      expect(answerOf(response)).toEqual([302, "/auth?redirectTo=%2Ffaqs"]);
    },
  );

  test.each([
    ["/terms", "Terms of Service", "Version 2, in force from 2 November 2026", "Points are not money"],
    ["/privacy", "Privacy Policy", "Version 2, in force from 2 November 2026", "Cookies and local storage"],
    ["/terms/1", "Terms of Service", "Version 1, in force from 1 July 2026", "This is an older version."],
    ["/privacy/1", "Privacy Policy", "Version 1, in force from 1 July 2026", "This is an older version."],
  ])("%s is open to everybody", async (path, title, version, words) => {
    const { status, html, text } = await readPage(createVisitor(pages), path);
    expect(status).toBe(200);
    expect(html).toContain(`<title>${title} · Nodebeat</title>`);
    expect(text).toContain(version);
    expect(text).toContain(words);
    const targets = Array.from(html.matchAll(/<a href="#([a-z-]+)"/g), ([, id]) => id).filter((id) => id !== "main");
    expect(targets.length).toBeGreaterThan(5);
    for (const id of targets) expect(html).toContain(`<section id="${id}"`);
  });

  test("an announced version says that it is not in force yet", async () => {
    clock.advance(-60 * DAY_MS);
    const { text } = await readPage(createVisitor(pages), "/terms/2");
    expect(text).toMatch(/This version is announced and not in force yet\..*What changed since version 1/s);
  });

  test.each(["/terms/99", "/terms/0", "/privacy/one", "/privacy/1e3"])("%s is not found", async (path) => {
    expect((await readPage(createVisitor(pages), path)).status).toBe(404);
  });

  test("a document that cannot be fetched is unavailable, not missing", async () => {
    pages.override(readLegalDocument, () => Response.error());
    expect((await readPage(createVisitor(pages), "/terms")).status).toBe(503);
  });

  test("a member who has not accepted the terms can read them, but not use other pages", async () => {
    const { visitor } = await visitMember(whitelisted);
    expect(await readQuestions(visitor, "/terms")).toMatchObject({ asked: [], inert: false });
    expect((await readQuestions(visitor, "/dashboard")).asked).toEqual([TERMS]);
  });

  test("asks about a new version once the browser's flags expire, after a day", async () => {
    clock = createTestClock("2026-11-01T12:00:00.000Z");
    const { visitor } = await visitMember({ whitelisted: true });
    const remembered = (await visitor.get("/dashboard")).headers.getSetCookie();
    expect(remembered.filter((line) => /^(tos|pp)Accepted=.+; Max-Age=86400$/.test(line))).toHaveLength(2);

    clock.advance(DAY_MS);
    visitor.cookies.delete("tosAccepted");
    visitor.cookies.delete("ppAccepted");
    expect((await readQuestions(visitor)).asked).toEqual([TERMS]);
  });
});
