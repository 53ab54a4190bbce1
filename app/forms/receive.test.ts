import { afterAll, expect, test } from "vitest";
import { changePassword } from "../../server/auth/contract.ts";
import { registerDevice } from "../../server/heartbeats/contract.ts";
import { createTestApi } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { describePages, readText } from "../../tests/support/pages/test-pages.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());

const NOT_NOW = "This does not work right now. Please try again in a moment.";

const refuse = (status: number, error: string, details: object = {}, headers: Record<string, string> = {}) =>
  Response.json({ message: "The reason.", error, statusCode: status, ...details }, { status, headers });

describePages(database, api, ({ pages, visitMember }) => {
  const send = async (fields: Record<string, string>) => {
    const { visitor } = await visitMember();
    const response = await visitor.post("/profile", fields);
    return { visitor, status: response.status, headers: response.headers, html: await response.text() };
  };
  const makeKey = (name = "Attic") => send({ intent: "device", name });

  test.each([
    [
      "what is wrong with a field",
      () => refuse(400, "VALIDATION_ERROR", { fields: { name: ["Not that."] } }),
      400,
      "Not that.",
    ],
    [
      "what is wrong with a field that the form does not have",
      () => refuse(400, "VALIDATION_ERROR", { fields: { elsewhere: ["Not that."] } }),
      400,
      "Not that.",
    ],
    ["that no field is wrong", () => refuse(400, "VALIDATION_ERROR", { fields: {} }), 400, "The reason."],
    ["a refusal with status 200", () => Response.json({ success: false, message: "The reason." }), 422, "The reason."],
    ["a refusal in the server's own words", () => refuse(409, "CONFLICT"), 409, "The reason."],
    ["too many tries", () => refuse(429, "TOO_MANY_ATTEMPTS", {}, { "Retry-After": "90" }), 429, "The reason."],
    ["a refusal without words", () => new Response("<html>", { status: 418 }), 418, NOT_NOW],
    ["a call that is missing", () => refuse(404, "NOT_FOUND"), 404, "This is not available here."],
    ["a success that brings nothing", () => Response.json({}), 503, NOT_NOW],
    ["a status that neither grants nor refuses", () => new Response(null, { status: 304 }), 503, NOT_NOW],
    ["a failure of the server", () => refuse(500, "INTERNAL_ERROR"), 503, NOT_NOW],
    ["no answer", () => Response.error(), 503, NOT_NOW],
  ])("reports %s, and keeps what was typed", async (_, answer, status, told) => {
    pages.override(registerDevice, answer);
    const shown = await makeKey();
    expect(shown.status).toBe(status);
    expect(readText(shown.html)).toContain(told);
    expect(shown.html).toContain('value="Attic"');
    expect(shown.headers.get("Retry-After")).toBe(status === 429 ? "90" : null);
    const [logged, silent] = status === 503 ? (["error", "info"] as const) : (["info", "error"] as const);
    expect(pages.log[logged]).toHaveBeenCalledWith(expect.anything(), "A form was refused");
    expect(pages.log[silent]).not.toHaveBeenCalledWith(expect.anything(), "A form was refused");
  });

  test("does not send invalid input to the backend, shows the error and logs nothing", async () => {
    const { html, status } = await makeKey(" ");
    expect(status).toBe(400);
    expect(html).toContain('aria-invalid="true"');
    expect(pages.calls).not.toContain(`${registerDevice.method} ${registerDevice.path}`);
    expect([pages.log.error.mock.calls, pages.log.info.mock.calls]).toEqual([[], []]);
  });

  test("a rejected token redirects to sign-in, and from there back to the form's page", async () => {
    pages.override(registerDevice, () => refuse(401, "UNAUTHENTICATED"));
    const { headers, status } = await makeKey();
    expect([status, headers.get("Location")]).toEqual([302, "/auth?redirectTo=%2Fprofile"]);
  });

  test("never sends passwords back to the page", async () => {
    pages.override(changePassword, () => refuse(409, "CONFLICT"));
    const { html } = await send({ intent: "password", currentPassword: "the old secret", password: "the new secret" });
    expect(html).toContain("The reason.");
    expect(html).not.toMatch(/the (?:old|new) secret/);
  });

  test("rejects a field that arrives twice or as a file with a readable message", async () => {
    const { visitor } = await visitMember();
    const body = new FormData();
    for (const [name, value] of [
      ["intent", "details"],
      ["full_name", "Ada"],
      ["full_name", "Eve"],
    ] as const)
      body.append(name, value);
    body.append("website", new File(["a"], "a.txt"));
    const response = await visitor.send("/profile", { method: "POST", body });
    expect(response.status).toBe(400);
    const text = readText(await response.text());
    expect(text.match(/This arrived damaged\. Please send it again\./g)).toHaveLength(2);
    expect(text).not.toContain("Invalid input");
  });
});
