import { expect, test } from "vitest";
import { login, signUp } from "../server/auth/contract.ts";
import { readHeartbeatStatus } from "../server/heartbeats/contract.ts";
import { readPrivacyStatus } from "../server/legal/contract.ts";
import { onboard, readOnboarded } from "../server/onboarding/contract.ts";
import { readPointsHistory, readPointsLog, readStats } from "../server/points/contract.ts";
import { readUser } from "../server/profile/contract.ts";
import { readReferrals } from "../server/referrals/contract.ts";
import { findSample } from "../tests/support/samples/sample-responses.ts";
import { SAMPLE_USER } from "../tests/support/samples/samples.ts";
import { createVisitor, findAction, readPage, type Visitor } from "../tests/support/pages/test-pages.ts";
import { visitSamples } from "./broken-responses.fixture.ts";

/* Tests what another backend may answer by the specification, which leaves some of it open. */

const responseOf = (call: string) => findSample(call)?.response;

async function signIn(visitor: Visitor) {
  const page = await (await visitor.get("/auth")).text();
  const fields = { email: SAMPLE_USER.email, password: "a pass phrase", turnstileToken: "t", name__confirm: "" };
  return visitor.post(findAction(page, "email"), fields);
}

test.each([123_456, "123456"])("accepts member and stats wrapped in a field, with a total of %j", async (total) => {
  const stats = { ...Object(responseOf("GET /api/users/stats")), points_total: total };
  const { visitor } = await visitSamples([
    [readUser, { user: SAMPLE_USER }],
    [readStats, { success: true, stats }],
  ]);
  expect((await readPage(visitor, "/dashboard")).text).toMatch(/Total points 123\.456 /);
  expect((await readPage(visitor, "/profile")).text).toContain(`You sign in as ${SAMPLE_USER.email}`);
});

test("a member with a numeric id signs in and is onboarded with that id as a string", async () => {
  const user = { ...SAMPLE_USER, id: 4711 };
  const { pages } = await visitSamples([
    [login, { access_token: "7|token", user }],
    [readUser, user],
  ]);
  const bodies: unknown[] = [];
  pages.override(readOnboarded, () => Response.json({ success: bodies.length > 0 }));
  pages.override(onboard, async (request) => {
    bodies.push(await request.json());
    return Response.json({});
  });
  const visitor = createVisitor(pages);
  expect((await signIn(visitor)).headers.get("Location")).toBe("/dashboard");
  const { status } = await readPage(visitor, "/dashboard");
  expect([status, bodies]).toEqual([200, [{ userId: "4711" }]]);
  expect((await readPage(visitor, "/profile")).html).toContain('name="member" value="4711"');
});

const UNAUTHORIZED = { message: "Unauthorized", statusCode: 401 };

test.each([{}, { error: "Unauthorized" }, UNAUTHORIZED, { detail: "Incorrect" }, null])(
  "a sign-in that is refused without an explanation shows our own: %j",
  async (body) => {
    const { pages } = await visitSamples();
    pages.override(login, () => Response.json(body, { status: 401 }));
    const response = await signIn(createVisitor(pages));
    expect(response.status).toBe(401);
    expect(await response.text()).toContain("That email and password do not match.");
  },
);

test("a sign-up that is refused as a stranger's shows a sentence that helps", async () => {
  const { pages } = await visitSamples();
  pages.override(signUp, () => Response.json(UNAUTHORIZED, { status: 401 }));
  const visitor = createVisitor(pages);
  const page = await (await visitor.get("/auth/signup")).text();
  const fields = { email: SAMPLE_USER.email, password: "a pass phrase", turnstileToken: "t", name__confirm: "" };
  const response = await visitor.post(findAction(page, "email"), { ...fields, referralCode: "" });
  expect(response.status).toBe(401);
  expect(await response.text()).toContain("Signing up does not work right now. Please try again in a moment.");
});

test.each([
  ["2026-11-20T14:15:00.123456", "2026-11-20T14:15:00.123456Z"],
  ["2026-11-20 14:15:00", "2026-11-20T14:15:00Z"],
  ["2026-11-20T14:15:00+02:00", "2026-11-20T14:15:00+02:00"],
])("reads a time without a time zone as UTC, and keeps a given offset: %s", async (given, shown) => {
  const entry = { category: "Rewards", points: 5, comment: "Survey", timestamp: given };
  const friend = { id: "1", inviteeEmail: null, invitedPoints: 1000, status: "Success", invitedAt: given };
  const day = { date: given, connectivity: 5, referral: 0, rewards: 0, total: 5 };
  const { visitor } = await visitSamples([
    [readPointsLog, { data: [entry], total: 1 }],
    [readPointsHistory, { history: { average: 5, data: [day] } }],
    [readReferrals, { ...Object(responseOf("GET /api/users/referrals-paginated")), referrals: [friend] }],
  ]);
  expect((await readPage(visitor, "/dashboard")).html).toContain(`dateTime="${shown}"`);
  expect((await readPage(visitor, "/referrals")).html).toContain(`dateTime="${shown}"`);
  const history = await (await visitor.get("/read/points-history?range=last7days")).json();
  expect(history).toMatchObject({ history: { data: [{ date: shown }] } });
});

test("does not show a heartbeat count as none yet if the time of the last heartbeat is missing", async () => {
  const status = { currentHeartbeats: 143, requiredHeartbeats: 100, claimable: true };
  const { visitor } = await visitSamples([[readHeartbeatStatus, status]]);
  expect((await readPage(visitor, "/rewards")).text).toMatch(/100 of 100 (?!none yet)/);
});

test("reads numeric strings as numbers, even in sums", async () => {
  const friend = { inviteeEmail: null, invitedPoints: "1000.50", status: "Claimable", canClaim: true };
  const { countParsedErrors, visitor } = await visitSamples([
    [readStats, { ...Object(responseOf("GET /api/users/stats")), points_total: "123456.5", heartbeats: "143" }],
    [
      readReferrals,
      {
        referrals: ["1", "2"].map((id) => Object.assign({ id }, friend)),
        stats: { totalReferralPoints: "2000", successfulReferralsAmount: "0", pendingReferralsAmount: "2" },
        pagination: { limit: "10", page: "1", total: "2", totalPages: "1" },
      },
    ],
  ]);
  expect((await readPage(visitor, "/dashboard")).text).toMatch(/Total points 123\.456,5 .*Heartbeats 143 /);
  expect(countParsedErrors()).toBeGreaterThan(0);
  const list = (await readPage(visitor, "/referrals")).text;
  expect(list).toContain("Referral points 2.000 ");
  expect(list).toContain("Claimable 2 +2.001 points");
  await visitor.post("/referrals", { intent: "claim-all" });
  expect((await readPage(visitor, "/referrals")).text).toContain("You claimed 2.001 points for 2 friends.");
});

test("reads 0 as false", async () => {
  const { pages, visitor } = await visitSamples([[readPrivacyStatus, { isppAccepted: 0 }]]);
  pages.override(readOnboarded, () =>
    Response.json({ success: Number(pages.calls.includes("POST /api/users/onboard")) }),
  );
  const { text } = await readPage(visitor, "/dashboard");
  expect(text).toContain("Updated Privacy Policy");
  expect(pages.calls).toContain("POST /api/users/onboard");
});

test("a points log row links to its details only if the backend sends the log's total", async () => {
  const entry = { id: "4711", category: "Rewards", points: 5, comment: "Survey", timestamp: "2026-11-20T14:15:00Z" };
  const summed = await visitSamples([[readPointsLog, { data: [entry], total: 1, pointsTotal: 5 }]]);
  expect((await readPage(summed.visitor, "/dashboard")).html).toContain("entry=4711");
  const listed = await visitSamples([[readPointsLog, { data: [entry], total: 1 }]]);
  expect((await readPage(listed.visitor, "/dashboard")).html).not.toContain("entry=4711");
});
