import { afterAll, expect, test } from "vitest";
import { createTestApi, seedMember } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { readUser } from "../profile/contract.ts";

/* What a request body must look like. */

const database = await createTestDatabase();
const api = createTestApi(database);
afterAll(() => database.close());
const { token } = await seedMember(api.deps);

const FORM = '{"full_name":"Zoë"}';

async function send(headers: Record<string, string>, body: BodyInit = FORM) {
  const sent = { "content-type": "application/json", authorization: `Bearer ${token}`, ...headers };
  const response = await api.fetch(
    new Request("http://api.test/api/users/profile", { method: "POST", headers: sent, body }),
  );
  return { status: response.status, headers: response.headers, body: await response.json() };
}

test.each([
  ["content-type", "application/json; charset=UTF-8"],
  ["content-type", 'Application/JSON;charset="utf8"'],
  ["content-encoding", "identity"],
  ["content-encoding", "Identity"],
])("accepts a body with %s: %s", async (name, value) => {
  expect(await send({ [name]: value })).toMatchObject({ status: 200, body: { full_name: "Zoë" } });
});

test.each([
  "application/json-patch+json",
  "application/json; charset=utf-16",
  "application/json; charset=none",
  "json",
])("rejects a body of the type %s", async (type) => {
  const message = "Send the body as application/json, in UTF-8.";
  expect(await send({ "content-type": type })).toMatchObject({ status: 415, body: { message } });
});

test.each(["gzip", "GZip", "br", "identity, gzip"])(
  "rejects a body encoded as %s, and says which encoding it accepts",
  async (coding) => {
    const { body, headers, status } = await send({ "content-encoding": coding });
    expect([status, headers.get("Accept-Encoding")]).toEqual([415, "identity"]);
    expect(body).toMatchObject({ error: "UNSUPPORTED_MEDIA_TYPE", message: "Send the body as it is, not compressed." });
  },
);

test("rejects a body that is not valid UTF-8, and changes nothing", async () => {
  const before = await api.read(readUser, { token });
  const latin = Buffer.from('{"full_name":"Chloë"}', "latin1");
  const message = "The body is not valid UTF-8.";
  expect(await send({}, latin)).toMatchObject({ status: 400, body: { error: "VALIDATION_ERROR", message } });
  expect(await api.read(readUser, { token })).toEqual(before);
});
