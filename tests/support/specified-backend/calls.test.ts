import { expect, test } from "vitest";
import { createSpecifiedBackend } from "./calls.ts";

/** The table in section 7 of the product specification, row by row. */
const TABLE = [
  "POST /api/login",
  "GET /api/user",
  "GET /api/users/stats",
  "GET /api/users/is-whitelisted",
  "GET /api/users/istosaccepted",
  "POST /api/users/accept-tos",
  "GET /api/users/isppaccepted",
  "POST /api/users/accept-pp",
  "GET /api/users/user-onboarded",
  "POST /api/users/onboard",
  "GET /api/users/points-history",
  "GET /api/users/points-log",
  "GET /api/users/data-stats",
  "GET /api/users/referrals-paginated",
  "GET /api/users/smart-id-requirements",
  "POST /api/users/link-wallet",
  "GET /api/users/wallet-change-eligibility",
  "POST /api/users/change-wallet",
  "GET /submissions/campaigns",
  "GET /api/campaigns/heartbeat/status",
  "POST /api/campaigns/{id}/claim",
  "GET /api/peaq/did-status",
  "GET /api/peaq/machine-identity",
  "GET /api/peaq/smart-account-exists",
  "POST /api/peaq/request-did",
  "POST /api/peaq/update-did-signature",
  "POST /api/peaq/create-smart-account",
];

/** Calls of the data areas, whose paths the specification does not show. */
const NOT_SHOWN = ["POST /api/auth/signup", "POST /api/auth/verify"];

const { auth, main } = createSpecifiedBackend();

test("has a call for every row of the table, and beyond it only those for sign-up", () => {
  const calls = [...auth.routes, ...main.routes].filter(({ method }) => method !== "ALL");
  const names = calls.map(({ method, path }) => `${method} ${path.replace(":id", "{id}")}`);
  expect(names.toSorted()).toEqual([...TABLE, ...NOT_SHOWN].toSorted());
});

test("each call rejects an unknown token or key", async () => {
  for (const [app, headers] of [
    [main, { Authorization: "Bearer made-up" }],
    [auth, { "x-api-key": "made-up" }],
  ] as const) {
    for (const { method, path } of app.routes.filter((route) => route.method !== "ALL")) {
      const response = await app.request(path, { method, headers });
      expect(response.status, `${method} ${path}`).toBe(401);
      expect(await response.json()).toEqual({
        message: expect.any(String),
        error: expect.any(String),
        statusCode: 401,
      });
    }
  }
});

test("a call that is not in the specification is not found", async () => {
  for (const path of ["/api/heartbeats/devices", "/api/auth/sessions", "/api/users/profile", "/"]) {
    const response = await main.request(path, { headers: { Authorization: "Bearer made-up" } });
    expect([response.status, await response.json()]).toEqual([
      404,
      { message: "Not Found", error: "NOT_FOUND", statusCode: 404 },
    ]);
  }
});
