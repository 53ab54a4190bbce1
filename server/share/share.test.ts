import { expect, test } from "vitest";
import { createAppUnderTest } from "../http/app-under-test.ts";
import { createDrawingThread, type DrawJob } from "./drawing-thread.ts";
import { createPictures } from "./pictures.ts";

const ORIGIN = "http://nodebeat.test";
const { app } = createAppUnderTest({ env: { trustedProxies: [], publicUrl: "https://nodebeat.example" } });

const get = (path: string, headers: Record<string, string> = {}) => app.request(ORIGIN + path, { headers });

/** Width and height, as the header of a PNG has them. */
async function sizeOf(response: Response) {
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(bytes.subarray(1, 4).toString()).toBe("PNG");
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

test.each(["/share/preview.png", "/share/K7QX2/preview.png"])("%s is a picture as chats want it", async (path) => {
  const response = await get(path);
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toBe("image/png");
  expect(response.headers.get("Cross-Origin-Resource-Policy")).toBe("cross-origin");
  expect(await sizeOf(response)).toEqual([1200, 630]);
});

test("each code has a picture of its own, which is asked for again without being sent again", async () => {
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

test.each(["/share/K7Q/preview.png", "/share/K7QX22/qr.svg", "/share/K%3CX22/qr.png", "/share/%C3%A9bcde/qr.svg"])(
  "%s is of no code",
  async (path) => {
    expect((await get(path)).status).toBe(404);
  },
);

test("the QR code is dark on light with its quiet zone, says where it leads, and can be printed", async () => {
  const svg = await (await get("/share/K7QX2/qr.svg")).text();
  expect(svg).toContain("<title id=");
  expect(svg).toContain("It leads to https://nodebeat.example/auth/signup?referralCode=K7QX2");
  const [, size] = /viewBox="0 0 (\d+) \1"/.exec(svg) ?? [];
  expect(svg).toContain(`<path fill="#ffffff" d="M0 0h${size}v${size}H0z"/>`);
  // A finder pattern's first row, in the corner that the quiet zone leaves.
  expect(svg).toMatch(/<path fill="#16181e" d="M4 4h7v1H4z/);
  expect(svg).not.toMatch(/style|script|href/);
  const [qr, other] = await Promise.all([get("/share/K7QX2/qr.png"), get("/share/K7QX3/qr.png")]);
  expect(qr.headers.get("ETag")).not.toBe(other.headers.get("ETag"));
  expect(await sizeOf(qr)).toEqual([1024, 1024]);
});

test("more drawings than can wait are refused, and those that wait are made", async () => {
  const { draw } = createDrawingThread({ maxWaiting: 2, idleTime: 0 });
  const drawn = await Promise.allSettled(["A2345", "B2345", "C2345"].map((code) => draw({ code })));
  expect(drawn.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
  expect(drawn[2]).toMatchObject({ reason: { code: "UNAVAILABLE", retryAfter: 5 } });
  // The thread has ended meanwhile, or is about to: another one begins.
  expect((await draw({ code: "D2345" })).length).toBeGreaterThan(1000);
});

test("a picture is drawn once for all who want it, and again where that failed or it was forgotten", async () => {
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
  await expect(pictures.preview("A2345")).rejects.toThrow("no ink");
  fails = false;
  await Promise.all([pictures.preview("A2345"), pictures.preview("A2345")]);
  expect(jobs).toHaveLength(2);
  await pictures.preview("B2345");
  await pictures.preview("C2345");
  await pictures.preview("A2345");
  expect(jobs).toHaveLength(5);
});
