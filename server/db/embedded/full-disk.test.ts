import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createDataFolder } from "../../../tests/support/database/empty-database.ts";
import { QUICK_ENGINE } from "../../../tests/support/servers/quick-engine.ts";
import type { Status } from "../unavailable.ts";
import type { Question } from "./asked.fixture.ts";
import { createPlayedDisk, mountSmallDisk, type SmallDisk } from "./small-disk.fixture.ts";

const FULL: Status = { ok: false, reason: "The disk is full." };
const SOON = { timeout: 30_000, interval: 100 };

const locate = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const cleanUps: (() => unknown)[] = [];
let fresh: string;

beforeAll(async () => {
  fresh = await createDataFolder();
});

afterAll(() => {
  rmSync(fresh, { recursive: true });
});

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

/** Starts a process with a database on the disk. Returns a function that sends it a request. */
async function startOn(disk: SmallDisk) {
  cleanUps.push(() => disk.remove());
  cpSync(fresh, disk.folder, { recursive: true });
  const child = fork(locate("asked.fixture.ts"), [disk.folder], {
    execArgv: [...QUICK_ENGINE, "--import", locate("full-disk.fixture.ts")],
    env: { ...process.env, NODE_OPTIONS: "", DISK_SWITCH: disk.switch },
  });
  const ended = once(child, "exit");
  cleanUps.push(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  await receive(child, 0);
  let last = 0;
  return (question: Question) => {
    last += 1;
    child.send({ ...question, id: last });
    return receive(child, last);
  };
}

function receive(child: ChildProcess, wanted: number): Promise<unknown> {
  return new Promise((resolve) => {
    child.on("message", function hear({ id, answer }: { id: number; answer?: unknown }) {
      if (id !== wanted) return;
      child.off("message", hear);
      resolve(answer);
    });
  });
}

// Uses a real disk if one can be mounted.
test("a full disk makes writes fail with 503 until there is space again, and loses no data", async () => {
  const disk = mountSmallDisk() ?? createPlayedDisk();
  const ask = await startOn(disk);
  expect(await ask({ ask: "write", number: 1 })).toBe("written");

  disk.fill("full");
  expect(await ask({ ask: "write", number: 2 })).toBe("unavailable");
  await vi.waitFor(async () => expect(await ask({ ask: "status" })).toEqual(FULL), SOON);
  expect(await ask({ ask: "check" })).toEqual(FULL);
  expect(await ask({ ask: "write", number: 3 })).toBe("unavailable");

  disk.empty();
  await vi.waitFor(async () => expect(await ask({ ask: "check" })).toEqual({ ok: true }), SOON);
  expect(await ask({ ask: "write", number: 4 })).toBe("written");
  expect(await ask({ ask: "numbers" })).toEqual([1, 4]);
});

test("stops writing before the disk is full, and resumes once there is enough space", async () => {
  const disk = createPlayedDisk();
  const ask = await startOn(disk);
  disk.fill("low");
  await vi.waitFor(async () => expect(await ask({ ask: "status" })).toEqual(FULL), SOON);
  expect(await ask({ ask: "write", number: 1 })).toBe("unavailable");
  disk.empty();
  await vi.waitFor(async () => expect(await ask({ ask: "status" })).toEqual({ ok: true }), SOON);
  expect(await ask({ ask: "write", number: 2 })).toBe("written");
});
