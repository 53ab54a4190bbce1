import { afterAll, beforeEach, expect, test } from "vitest";
import { createTestApi, seedMember } from "../../tests/support/api/api.ts";
import { BY_OPERATOR, seedAdministrator } from "../../tests/support/api/administration.ts";
import { dumpRowsOf, seedRichMember } from "../../tests/support/seeds/rich-member.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { addAdministrator, removeAdministrator } from "../administration/service.ts";

const database = await createTestDatabase();
const api = createTestApi(database);
beforeEach(() => database.reset());
afterAll(() => database.close());

type Ids = Awaited<ReturnType<typeof seedRichMember>>["ids"];
type Case = {
  /** Which of the member's ids another member sends. */
  mine: keyof Ids;
  /** An id that nobody has. */
  unknown?: string;
  /** The call's body with the id in it, if that is where the id belongs. */
  body?: (id: string) => unknown;
};

const finishedAt = new Date().toISOString();
const sendJob = (jobId: string, reference: string) => ({
  jobs: [{ jobId, finishedAt, resultSize: 10, items: [{ kind: "post", reference, title: "A post" }] }],
});

/**
 * Every id that a call takes, keyed by the call and the id's place in it. Add new ids here, with a value that
 * tests/support/seeds/rich-member.ts creates.
 */
const CASES: Record<string, Case> = {
  "DELETE /api/auth/sessions/{id} id": { mine: "session" },
  "DELETE /api/heartbeats/devices/{id} id": { mine: "device" },
  "POST /api/campaigns/referral/{id}/claim id": { mine: "referral" },
  "GET /api/users/points-log/{id} id": { mine: "entry" },
  // Everybody can see campaigns. A response must not show whether another member has completed one.
  "POST /api/campaigns/{id}/claim id": { mine: "campaign", unknown: "campaign-open" },
  "POST /api/users/onboard userId": { mine: "user", body: (userId) => ({ userId }) },
  "POST /api/jobs/results jobs.jobId": { mine: "job", unknown: "job", body: (id) => sendJob(id, `item of ${id}`) },
  "POST /api/jobs/results jobs.items.reference": {
    mine: "item",
    unknown: "item",
    body: (id) => sendJob(`job of ${id}`, id),
  },
};

/** Ids of things that belong to no member and are public anyway: passes are on a public chain. */
const PUBLIC = ["GET /api/node-pass/tokens/{tokenId} tokenId"];

/**
 * Ids that machines choose themselves. The same id of another member is a different machine
 * (heartbeats/device-key.test.ts).
 */
const MADE_UP = ["POST /api/heartbeats/devices id"];

type Schema = {
  $ref?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
};
type Operation = {
  security?: Record<string, string[]>[];
  parameters?: { in: string; name: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
};
type Document = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } };

/** Whether a field names something that exists. Other fields prove something (a token) or describe it. */
const isId = (place: string) => /(?:^|[._])(?:id|reference)$|[a-z]Id$/.test(place);

const join = (place: string, name: string) => (place ? `${place}.${name}` : name);

/** Lists every id that the document's calls take, as in `POST /api/users/onboard userId`. */
function listIds({ components, paths }: Document): string[] {
  const placesIn = (schema: Schema = {}, place = ""): string[] => [
    ...(schema.$ref ? placesIn(components.schemas[schema.$ref.split("/").at(-1) ?? ""], place) : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) => placesOf(property, join(place, name))),
    ...(schema.items ? placesIn(schema.items, place) : []),
    ...[...(schema.allOf ?? []), ...(schema.anyOf ?? [])].flatMap((part) => placesIn(part, place)),
  ];
  const placesOf = (schema: Schema, place: string): string[] => [place].concat(placesIn(schema, place));

  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { parameters = [], requestBody, ...operation }]) => {
      if (isForAdministrators(operation)) return [];
      const inAddress = parameters.filter((each) => each.in === "path" || isId(each.name)).map(({ name }) => name);
      const inBody = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => placesIn(schema).filter(isId));
      return [...inAddress, ...inBody].map((place) => `${method.toUpperCase()} ${path} ${place}`);
    }),
  );
}

/** Whether only administrators may call. Their calls may name any member, and nobody else's calls get that far. */
const isForAdministrators = ({ security = [] }: Operation) =>
  security.some(({ bearer }) => bearer?.includes("administrator"));

async function readDocument() {
  const response = await api.fetch(new Request("http://api.test/api/openapi.json"));
  return (await response.json()) as Document;
}

test("every id that a call takes has a case in this test", async () => {
  expect(listIds(await readDocument()).toSorted()).toEqual([...Object.keys(CASES), ...PUBLIC, ...MADE_UP].toSorted());
});

async function listAdministratorsCalls() {
  const { paths } = await readDocument();
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) =>
      isForAdministrators(operation) ? [`${method.toUpperCase()} /${path.slice(1)}` as const] : [],
    ),
  );
}

test("refuses administrators' calls to everyone else before reading their input", async () => {
  const calls = await listAdministratorsCalls();
  expect(calls.length).toBeGreaterThan(5);
  expect(calls.filter((call) => !call.includes(" /api/admin/"))).toEqual([]);
  const ada = await seedRichMember(api);
  const removed = await seedAdministrator(api.deps);
  await removeAdministrator(api.deps, BY_OPERATOR, { member: removed.user.id });
  const before = await dumpRowsOf(database, ada.user.id);

  for (const call of calls) {
    const send = (token?: string) =>
      api.call(call, { params: { id: "campaign-open", document: "tos" }, ...(token && { token }) });
    expect([call, (await send()).status]).toEqual([call, 401]);
    for (const { token } of [ada, removed]) expect([call, (await send(token)).status]).toEqual([call, 403]);
  }

  expect(await dumpRowsOf(database, ada.user.id)).toEqual(before);
});

test("an administrator's reads answer PASSWORD_REQUIRED until they enter the password", async () => {
  const calls = await listAdministratorsCalls();
  const { token, user } = await seedMember(api.deps);
  await addAdministrator(api.deps, BY_OPERATOR, { member: user.id });
  const params = { id: crypto.randomUUID(), document: "tos" };
  const reads = calls.filter((call) => call.startsWith("GET ") && call !== "GET /api/admin/standing");
  for (const call of reads) {
    const { body } = await api.call(call, { token, params });
    expect([call, body]).toEqual([call, expect.objectContaining({ error: "PASSWORD_REQUIRED" })]);
  }
  // This read is a POST, because it sends an email address.
  const check = await api.call("POST /api/admin/whitelist/check", { token, body: { member: user.email } });
  expect(check).toMatchObject({ status: 403, body: { error: "PASSWORD_REQUIRED" } });
});

test.each(Object.entries(CASES))(
  "%s: another member's id is answered like an unknown one, and changes nothing of theirs",
  async (name, { body, mine, unknown }) => {
    const [method = "", path = "", place = ""] = name.split(" ");
    const ada = await seedRichMember(api);
    const ben = await seedMember(api.deps);
    const send = async (token: string, id: string) => {
      const given = body ? { body: body(id) } : path.includes("{") ? { params: { id } } : { query: { [place]: id } };
      const { status, body: answer } = await api.call(`${method} /${path.slice(1)}`, { token, ...given });
      return { status, answer };
    };
    const before = await dumpRowsOf(database, ada.user.id);

    const answered = await send(ben.token, ada.ids[mine]);

    expect(await dumpRowsOf(database, ada.user.id)).toEqual(before);
    expect(answered).toEqual(await send(ben.token, unknown ?? crypto.randomUUID()));
    // The id does mean something to its owner.
    expect(await send(ada.token, ada.ids[mine])).not.toEqual(answered);
  },
);
