import { readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach } from "vitest";
import { runNode, type Surroundings } from "../../../node/run-node.ts";
import type { NodeSettings } from "../../../node/settings.ts";
import { listen, type Listening } from "../../../server/http/listening/listen.ts";
import { readStats } from "../../../server/points/contract.ts";
import { createTestApi, createTestClock, seedMember, TEST_PASSWORD } from "../api/api.ts";
import { findFreePort } from "./free-port.ts";
import { createTestDatabase } from "../database/test-database.ts";

export const MINUTE = 60_000;

type Respond = (request: Request, connection?: Socket) => Response | Promise<Response>;

type Run = {
  settings?: Partial<NodeSettings>;
  minutes: number;
  /** What happens around the node, by minutes since its start. */
  events?: [minute: number, happen: () => Promise<unknown>][];
  /** How the person at the terminal answers. Without it, nobody is there. */
  prompt?: Surroundings["prompt"];
  /** How far this machine's clock is ahead of the server's, in milliseconds, each time it is read. */
  ahead?: () => number;
};

/** Starts what each test of a file gets new: a server with a member, and an empty folder for the member's node. */
export async function createNodeUnderTest() {
  const database = await createTestDatabase();
  const clock = createTestClock("2026-11-20T12:00:00.000Z");
  const env = { heartbeatIntervalSeconds: 900, pointsPerHeartbeat: 25 };
  const api = createTestApi(database, { now: clock.now, env });

  let folder = "";
  let server: Listening;
  let answer: Respond = api.fetch;
  let member: Awaited<ReturnType<typeof seedMember>>;

  beforeEach(async () => {
    await database.reset();
    // Each test starts at the beginning of a slot.
    clock.advance(60 * MINUTE - (clock.now().getTime() % (60 * MINUTE)));
    folder = await mkdtemp(join(tmpdir(), "nodebeat-node-"));
    answer = api.fetch;
    await startServer();
    member = await seedMember(api.deps);
  });
  afterEach(async () => {
    await server.drain(1000);
    await rm(folder, { recursive: true });
  });
  afterAll(() => database.close());

  async function startServer(at?: number) {
    // A port that nobody else takes while the server is down.
    const port = at ?? (await findFreePort());
    server = await listen(
      {
        async fetch(request, bound) {
          const response = await answer(request, bound && "incoming" in bound ? bound.incoming?.socket : undefined);
          // Otherwise the header would have the real time.
          response.headers.set("Date", clock.now().toUTCString());
          return response;
        },
      },
      { port, host: "127.0.0.1", log: api.deps.log, headers: {} },
    );
  }

  /** Runs a node for some minutes on a clock that skips ahead, and returns what it reported. */
  async function run({ ahead = () => 0, prompt, events = [], minutes, settings }: Run): Promise<string[]> {
    const stop = new AbortController();
    const start = clock.now().getTime();
    const script = [...events, [minutes, async () => stop.abort()] as const].map(([minute, happen]) => ({
      at: start + minute * MINUTE,
      happen,
    }));
    async function sleep(milliseconds: number) {
      let until = clock.now().getTime() + milliseconds;
      for (let next = script[0]; next && next.at <= until; next = script[0]) {
        script.shift();
        passUntil(next.at);
        const before = clock.now().getTime();
        await next.happen();
        // While a machine sleeps, its clock goes on and its timers stop.
        until += clock.now().getTime() - before;
        stop.signal.throwIfAborted();
      }
      passUntil(until);
    }
    // Events may take time themselves.
    const passUntil = (time: number) => clock.advance(Math.max(0, time - clock.now().getTime()));
    const lines: string[] = [];
    await runNode(
      {
        url: server.url,
        email: member.user.email,
        password: TEST_PASSWORD,
        name: "attic",
        folder,
        apiKey: undefined,
        renew: false,
        ...settings,
      },
      {
        clock: { now: () => new Date(clock.now().getTime() + ahead()), sleep },
        random: () => 0.5,
        report: (line) => lines.push(line),
        signal: stop.signal,
        prompt,
      },
    );
    return lines;
  }

  return {
    api,
    clock,
    database,
    run,
    /** Reuses the port of the previous server, if it is given. */
    startServer,
    get server() {
      return server;
    },
    get member() {
      return member;
    },
    /** The handler between the node and the API, which a test may replace. */
    get answer() {
      return answer;
    },
    set answer(instead: Respond) {
      answer = instead;
    },
    /** Returns how many of the member's heartbeats count. */
    countHeartbeats: async () => (await api.read(readStats, { token: member.token })).heartbeats,
    /** Returns the paths of all files that the node keeps. */
    listFiles: () =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name)),
    /** Counts rows; `query` is what follows `from`. */
    count: async (query: string) =>
      Number((await database.pool.query(`select count(*) as count from ${query}`)).rows[0]?.count),
  };
}
