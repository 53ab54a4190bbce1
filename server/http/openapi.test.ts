import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import * as z from "zod";
import { afterAll, expect, test } from "vitest";
import { createTestApi } from "../../tests/support/api/api.ts";
import { endpoints } from "../../tests/support/api/endpoints.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { endpoint, type Endpoint } from "./contract.ts";
import { describeApi } from "./openapi.ts";

const database = await createTestDatabase();
afterAll(() => database.close());

const document = describeApi(endpoints);
const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
  [item.get, item.post, item.delete].flatMap((operation) => (operation ? [{ path, ...operation }] : [])),
);

test("is an OpenAPI 3.1 document of every endpoint, each with a unique operationId", () => {
  expect(document).toMatchObject({ openapi: "3.1.0", info: { title: "Nodebeat API", version: "1.0.0" } });
  expect(operations).toHaveLength(endpoints.length);
  const names = operations.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toContain("getUsersPointsLog");
  expect(names).toContain("postCampaignsByIdClaim");
});

test("names its own server, and explains every tag", () => {
  expect(document.servers).toEqual([{ url: "/" }]);
  const explained = (document.tags ?? []).map(({ name }) => name);
  expect(new Set(operations.flatMap(({ tags = [] }) => tags))).toEqual(new Set(explained));
});

test("only 429 and 503 responses are described with a Retry-After header", () => {
  const refusals = operations.flatMap(({ path, responses = {} }) =>
    Object.entries(responses).map(([status, answer]) => ({ path, status, headers: Object.keys(answer.headers ?? {}) })),
  );
  expect(refusals.filter(({ status }) => status === "429").length).toBeGreaterThan(5);
  for (const { path, status, headers } of refusals) {
    const wanted = status === "429" || status === "503";
    expect([path, status, headers.includes("Retry-After")]).toEqual([path, status, wanted]);
  }
});

test("every reference resolves", () => {
  const references = JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g);
  const targets = new Set([...references].map(([, target]) => target));
  expect(targets.size).toBeGreaterThan(5);
  for (const target of targets) expect(document).toHaveProperty(target?.slice("#/".length).split("/") ?? []);
});

const MEDIA_TYPES = ["application/json", "text/event-stream", "text/csv"] as const;

test("every schema is JSON Schema 2020-12 without unknown keywords", () => {
  const ajv = new Ajv2020({ strictTypes: false, strictRequired: false });
  addFormats(ajv);
  ajv.addVocabulary(["components"]);
  // Each component once, however many calls refer to it.
  ajv.addSchema({ components: document.components }, "document");
  const schemas = operations.flatMap(({ parameters = [], requestBody, responses = {} }) => [
    ...parameters.map((parameter) => ("schema" in parameter ? parameter.schema : undefined)),
    ...[requestBody, ...Object.values(responses)].flatMap((described) =>
      described && "content" in described
        ? [MEDIA_TYPES.map((type) => described.content?.[type]).find(Boolean)?.schema]
        : [],
    ),
  ]);
  expect(schemas.length).toBeGreaterThan(operations.length * 3);
  expect(schemas).not.toContain(undefined);
  const different = new Set(
    schemas.map((schema) => JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"document#')),
  );
  for (const schema of different) ajv.compile(JSON.parse(schema));
});

test("describes exactly the parameters in each path", () => {
  for (const { parameters = [], path } of operations) {
    const described = parameters.flatMap((each) =>
      "in" in each && each.in === "path" && each.required ? [each.name] : [],
    );
    const written = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect({ path, described }).toEqual({ path, described: written });
  }
});

/** Lists all descriptions and summaries, with their paths. */
function listWords(part: unknown, path = ""): [path: string, words: unknown][] {
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([key, value]): [string, unknown][] =>
    key === "description" || key === "summary" ? [[path, value]] : listWords(value, `${path}/${key}`),
  );
}

test("no description is empty, and each error status has its own", () => {
  const words = listWords({ ...document, components: { ...document.components, schemas: {} } });
  expect(words.length).toBeGreaterThan(operations.length * 4);
  expect(words.filter(([, text]) => text === "")).toEqual([]);
  const described = operations.flatMap(({ responses = {} }) =>
    Object.entries(responses).flatMap(([status, response]) =>
      "description" in response ? [`${status} ${response.description}`] : [],
    ),
  );
  const failures = [...new Set(described)].filter((each) => !each.startsWith("200 "));
  expect(failures.length).toBeGreaterThan(8);
  expect(new Set(failures.map((each) => each.slice(0, 3))).size).toBe(failures.length);
  expect(new Set(failures.map((each) => each.slice(3))).size).toBe(failures.length);
  for (const { responses = {} } of operations) {
    expect(responses["503"]).toMatchObject({ headers: { "Retry-After": { schema: { pattern: "^\\d+$" } } } });
    expect(responses["500"]).not.toHaveProperty("headers");
  }
});

test("every operation names the credentials that it accepts", () => {
  const schemes = Object.keys(document.components?.securitySchemes ?? {});
  for (const { security } of operations) {
    expect(security ?? []).not.toEqual([]);
    expect(schemes).toEqual(expect.arrayContaining((security ?? []).flatMap(Object.keys)));
  }
});

const PATH = "/api/things/{id}";
const login = {
  service: "auth",
  access: "anyone",
  summary: "A thing",
} as const;

test.for<[string, Partial<Endpoint>, unknown[], Record<string, string[]>]>([
  ["anyone at the main part", { service: "main" }, [{}], {}],
  ["anyone at the auth part", {}, [{ apiKey: [] }, {}], { 401: ["INVALID_API_KEY"] }],
  [
    "a member at the auth part",
    { access: "member" },
    [{ bearer: [], apiKey: [] }, { bearer: [] }],
    { 401: ["UNAUTHENTICATED", "INVALID_API_KEY"] },
  ],
  [
    "a node",
    { service: "main", access: "node" },
    [{ bearer: [] }, { deviceKey: [] }],
    { 401: ["UNAUTHENTICATED", "KEY_REVOKED"] },
  ],
  [
    "an administrator who must enter the password",
    { service: "main", access: "administrator", needsNoPassword: true },
    [{ bearer: ["administrator"] }],
    { 401: ["UNAUTHENTICATED"], 403: ["FORBIDDEN"] },
  ],
  [
    "a query",
    { service: "main", query: z.object({ page: z.string() }) },
    [{}],
    { 400: ["BAD_REQUEST", "VALIDATION_ERROR"] },
  ],
  [
    "a body",
    { service: "main", body: z.object({ page: z.string() }) },
    [{}],
    { 400: ["BAD_REQUEST", "VALIDATION_ERROR"], 415: ["UNSUPPORTED_MEDIA_TYPE"] },
  ],
  [
    "its own errors",
    { service: "main", fails: ["NOT_FOUND", "CONFLICT"] },
    [{}],
    { 404: ["NOT_FOUND"], 409: ["CONFLICT"] },
  ],
])("describes the credentials and the errors of a call for %s", ([, part, security, failures]) => {
  const described = describeApi([endpoint(`POST ${PATH}`, { ...login, response: z.object({}), ...part })]);

  const operation = described.paths?.[PATH]?.post;
  expect(operation?.security).toEqual(security);
  const always = {
    400: ["BAD_REQUEST"],
    403: ["FORBIDDEN"],
    // Even if the call expects no body.
    413: ["PAYLOAD_TOO_LARGE"],
    429: ["TOO_MANY_ATTEMPTS"],
    500: ["INTERNAL_ERROR"],
    503: ["UNAVAILABLE"],
  };
  const around = { 405: [], 408: [], 414: [], 417: [], 431: [] };
  const expected = { ...always, ...failures };
  expect(Object.keys(operation?.responses ?? {})).toEqual(Object.keys({ 200: [], ...expected, ...around }));
  for (const [status, codes] of Object.entries(expected)) {
    const own = { properties: { error: { enum: codes }, statusCode: { const: Number(status) } } };
    expect(operation?.responses?.[status]).toMatchObject({
      content: { "application/json": { schema: { allOf: [{ $ref: "#/components/schemas/Error" }, own] } } },
    });
  }
});

test("the API serves the document, and it names the calls of the specification", async () => {
  const response = await createTestApi(database).fetch(new Request("http://api.test/api/openapi.json"));

  expect(response.headers.get("Content-Type")).toBe("application/json");
  const served = z.object({ paths: z.record(z.string(), z.object()) }).parse(await response.json());
  expect(Object.keys(served.paths)).toEqual(
    expect.arrayContaining([
      "/api/login",
      "/api/user",
      "/api/users/stats",
      "/api/users/is-whitelisted",
      "/api/users/user-onboarded",
      "/api/users/onboard",
      "/api/users/points-history",
      "/api/users/points-log",
      "/api/users/content-points-history",
      "/api/heartbeats",
    ]),
  );
});

// specification: 5.1, 5.2
test("describes the format and the length of an email address and a password", () => {
  const properties = {
    email: { type: "string", format: "email", maxLength: 254 },
    password: { type: "string", minLength: 8, maxLength: 256 },
  };
  expect(document.paths?.["/api/login"]?.post?.requestBody).toMatchObject({
    content: { "application/json": { schema: { properties } } },
  });
});

test("sign-in, sign-up and password calls take no secret question and no password hint", () => {
  const Body = z.object({
    content: z.object({
      "application/json": z.object({ schema: z.object({ properties: z.record(z.string(), z.any()) }) }),
    }),
  });
  const asked = operations
    .filter(({ path }) => /^\/api\/(?:login|auth\/)/.test(path))
    .flatMap(({ requestBody }) =>
      requestBody ? Object.keys(Body.parse(requestBody).content["application/json"].schema.properties) : [],
    );
  const fields =
    "code currentPassword email password referralCode subscribed token turnstileToken understood verificationCode".split(
      " ",
    );
  expect([...new Set(asked)].sort()).toEqual(fields);
});

/** The data areas that section 7 of the specification names without their calls, and the calls that serve them here. */
const DATA_AREAS = {
  "users: profile": ["GET /api/users/profile", "POST /api/users/profile"],
  "users: whitelist": ["GET /api/users/is-whitelisted"],
  "users: points history variants": ["GET /api/users/points-history", "GET /api/users/points-log"],
  "users: content points history": ["GET /api/users/content-points-history"],
  "users: privacy-policy acceptance variants": [
    "GET /api/users/isppaccepted",
    "POST /api/users/accept-pp",
    "GET /api/legal/documents",
  ],
  "campaigns: referral": [
    "GET /api/campaigns/referral",
    "POST /api/campaigns/referral/{id}/claim",
    "GET /api/users/referrals-combined",
  ],
  "jobs: daily stats and global stats": ["GET /api/jobs/daily-stats", "GET /api/jobs/global-stats"],
};

// specification: 7.45, 7.46, 7.49
test.each(Object.entries(DATA_AREAS))("serves and describes the data area of %s", async (_, calls) => {
  const response = await createTestApi(database).fetch(new Request("http://api.test/api/openapi.json"));
  const { paths } = z
    .object({ paths: z.record(z.string(), z.record(z.string(), z.object({ summary: z.string().min(10) }))) })
    .parse(await response.json());
  const served = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(served).toEqual(expect.arrayContaining(calls));
});
