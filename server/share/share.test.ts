import { Hono } from "hono";
import { expect, test } from "vitest";
import { createTestClock, createTestDeps, seedMember } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { AppError } from "../errors.ts";
import { createAppUnderTest } from "../../tests/support/servers/app-under-test.ts";
import type { HttpEnv } from "../http/http-env.ts";
import { LIMITS } from "../rate-limits/rules.ts";
import { createDrawingThread, type DrawJob } from "./drawing-thread.ts";
import { createPictures } from "./pictures.ts";
import { shareRoutes } from "./routes.ts";

const ORIGIN = "http://nodebeat.test";
const { app } = createAppUnderTest({
  share: shareRoutes({
    publicUrl: "https://nodebeat.example",
    limits: { take: async () => {}, tryTake: async () => true },
    isInvitation: async () => true,
  }),
});

const get = (path: string, headers: Record<string, string> = {}) => app.request(ORIGIN + path, { headers });

/** Reads the width and height from the header of a PNG. */
async function sizeOf(response: Response) {
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(bytes.subarray(1, 4).toString()).toBe("PNG");
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

test.each(["/share/preview.png", "/share/K7QX2/preview.png"])("%s is a PNG of the size chats expect", async (path) => {
  const response = await get(path);
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toBe("image/png");
  expect(response.headers.get("Cross-Origin-Resource-Policy")).toBe("cross-origin");
  expect(await sizeOf(response)).toEqual([1200, 630]);
});

test("each code has its own picture, and a matching ETag answers 304 without a body", async () => {
  const [mine, others, general] = await Promise.all([
    get("/share/K7QX2/preview.png"),
    get("/share/ABCDE/preview.png"),
    get("/share/preview.png"),
  ]);
  const etags = [mine, others, general].map(({ headers }) => headers.get("ETag") ?? "");
  expect(new Set(etags).size).toBe(3);
  expect(mine.headers.get("Cache-Control")).toBe("public, max-age=86400");

  const again = await get("/share/K7QX2/preview.png", { "If-None-Match": etags[0] ?? "" });
  expect([again.status, await again.text()]).toEqual([304, ""]);
  expect((await get("/share/K7QX2/preview.png", { "If-None-Match": etags[1] ?? "" })).status).toBe(200);
});

test.each(["/share/preview.png", "/share/K7QX2/preview.png", "/share/K7QX2/qr.png", "/share/K7QX2/qr.svg"])(
  "%s allows only GET and HEAD",
  async (path) => {
    for (const method of ["POST", "DELETE", "OPTIONS"]) {
      const { headers, status } = await app.request(ORIGIN + path, { method });
      expect([status, headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
    }
  },
);

test.each(["/share/K7Q/preview.png", "/share/K7QX22/qr.svg", "/share/K%3CX22/qr.png", "/share/%C3%A9bcde/qr.svg"])(
  "%s answers 404, because it contains no valid code",
  async (path) => {
    expect((await get(path)).status).toBe(404);
  },
);

test("the QR code is dark on light with a quiet zone, names its address, and is large enough to print", async () => {
  const svg = await (await get("/share/K7QX2/qr.svg")).text();
  expect(svg).toContain("<title id=");
  expect(svg).toContain("It leads to https://nodebeat.example/auth/signup?referralCode=K7QX2");
  const [, size] = /viewBox="0 0 (\d+) \1"/.exec(svg) ?? [];
  expect(svg).toContain(`<path fill="#ffffff" d="M0 0h${size}v${size}H0z"/>`);
  // The first row of a finder pattern, in the corner inside the quiet zone.
  expect(svg).toMatch(/<path fill="#16181e" d="M4 4h7v1H4z/);
  expect(svg).not.toMatch(/style|script|href/);
  const [qr, other] = await Promise.all([get("/share/K7QX2/qr.png"), get("/share/K7QX3/qr.png")]);
  expect(qr.headers.get("ETag")).not.toBe(other.headers.get("ETag"));
  expect(await sizeOf(qr)).toEqual([1024, 1024]);
});

test("rejects drawings beyond the queue limit, and finishes those that wait", async () => {
  const { draw } = createDrawingThread({ waiting: { waiting: 2, inAll: 1 }, idleTime: 0 });
  const drawn = await Promise.allSettled(["A2345", "B2345", "C2345"].map((code) => draw({ code }, code)));
  expect(drawn.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
  expect(drawn[2]).toMatchObject({ reason: { code: "UNAVAILABLE", retryAfter: 5 } });
  // The thread has ended in the meantime, or is about to: a new one starts.
  expect((await draw({ code: "D2345" }, "ada")).length).toBeGreaterThan(1000);
});

test("draws a picture once for concurrent requests, and again after a failure or an eviction", async () => {
  const jobs: DrawJob[] = [];
  let fails = true;
  const pictures = createPictures(
    {
      async draw(job) {
        jobs.push(job);
        if (fails) throw new Error("no ink");
        return new Uint8Array(8);
      },
    },
    2,
  );
  const request = { caller: "ada", mayDraw: async () => true };
  const preview = (code: string) => pictures.preview(code, request);
  await expect(preview("A2345")).rejects.toThrow("no ink");
  fails = false;
  await Promise.all([preview("A2345"), preview("A2345")]);
  expect(jobs).toHaveLength(2);
  await preview("B2345");
  await preview("C2345");
  await preview("A2345");
  expect(jobs).toHaveLength(5);
});

/** Creates the routes with a real limiter and member, behind a proxy that tells clients apart. */
async function createShare() {
  const database = await createTestDatabase();
  // The clock stands still, because limits recover as time passes.
  const deps = createTestDeps(database, { now: createTestClock().now });
  const { user } = await seedMember(deps);
  const jobs: DrawJob[] = [];
  const thread = {
    async draw(job: DrawJob) {
      jobs.push(job);
      return new TextEncoder().encode(JSON.stringify(job));
    },
  };
  const isInvitation = async (code: string) => code === user.personal_code;
  const routes = new Hono<HttpEnv>()
    .use(async (c, next) => {
      c.set("clientAddress", c.req.header("x-client") ?? "");
      await next();
    })
    .route("/", shareRoutes({ thread, limits: deps.limits, isInvitation }));
  routes.onError((error) => (error instanceof AppError ? error : new AppError("INTERNAL_ERROR", "?")).toResponse());
  const ask = async (client: string, path: string) => routes.request(path, { headers: { "x-client": client } });
  return { ask, code: user.personal_code ?? "", jobs, close: () => database.close() };
}

const made = (index: number) => `Z${String(index).padStart(4, "0")}`;

test("draws only members' codes: another code has the general preview, and its QR code is not found", async () => {
  const { ask, close, code, jobs } = await createShare();
  const general = (await ask("ada", "/share/preview.png")).headers.get("ETag");
  const unknown = await ask("ada", "/share/ZZZZZ/preview.png");
  expect([unknown.status, unknown.headers.get("ETag")]).toEqual([200, general]);
  expect(unknown.headers.get("Cache-Control")).toBe("public, max-age=60");
  expect((await ask("ada", "/share/ZZZZZ/qr.png")).status).toBe(404);
  expect((await ask("ada", "/share/ZZZZZ/qr.svg")).status).toBe(404);
  expect((await ask("ada", `/share/${code}/preview.png`)).headers.get("ETag")).not.toBe(general);
  expect(jobs).toEqual([{ code: null }, { code }]);
  await close();
});

test("a client over the limit gets the general preview, and other clients still get theirs", async () => {
  const { ask, close, code, jobs } = await createShare();
  for (let index = 0; index < LIMITS.pictureByClient.burst; index++) {
    await ask("mallory", `/share/${made(index)}/preview.png`);
  }
  const general = (await ask("mallory", "/share/preview.png")).headers.get("ETag");
  expect((await ask("mallory", `/share/${code}/preview.png`)).headers.get("ETag")).toBe(general);
  const refused = await ask("mallory", `/share/${code}/qr.svg`);
  expect([refused.status, Number(refused.headers.get("Retry-After")) > 0]).toEqual([429, true]);
  expect(jobs).toEqual([{ code: null }]);

  const own = (await ask("ada", `/share/${code}/preview.png`)).headers.get("ETag");
  expect(own).not.toBe(general);
  // It is cached now, so it costs nothing.
  expect((await ask("mallory", `/share/${code}/preview.png`)).headers.get("ETag")).toBe(own);
  await close();
});

test("drawings of one client take turns with another's, and only a limited number waits", async () => {
  const { draw } = createDrawingThread({ waiting: { waiting: 1, inAll: 40 } });
  const drawn: string[] = [];
  const ask = (caller: string, code: string) =>
    draw({ code }, caller).then(
      () => drawn.push(caller),
      (error: AppError) => drawn.push(`${caller} ${error.code}`),
    );
  await Promise.all([...["A2345", "B2345", "C2345"].map((code) => ask("mallory", code)), ask("ada", "D2345")]);
  expect(drawn).toEqual(["mallory UNAVAILABLE", "mallory", "ada", "mallory"]);
});
