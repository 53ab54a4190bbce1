import { drizzle } from "drizzle-orm/node-postgres";
import { createHash } from "node:crypto";
import { openAuthProvider } from "../../server/auth/provider/open.ts";
import { describeKinds, describeSchedules } from "../../server/boot/background.ts";
import { createEmbeddedChain } from "../../server/chain/embedded/embedded-chain.ts";
import type { ChainGateway } from "../../server/chain/chain-gateway.ts";
import type { PasswordHasher } from "../../server/auth/password/password-hasher.ts";
import * as schema from "../../server/db/schema.ts";
import { readEnv } from "../../server/env.ts";
import { AppError } from "../../server/errors.ts";
import { queueSchedules, toKinds } from "../../server/jobs/schedule.ts";
import type { Taken } from "../../server/jobs/queries.ts";
import type { RenderedEmail } from "../../server/mail/email.ts";
import { createTestApi, SILENT } from "../support/api/api.ts";
import type { TestDatabase } from "../support/database/test-database.ts";
import type { SimulatedClock } from "./clock.ts";
import type { Faults } from "./faulty-pool.ts";
import type { createModel } from "./model.ts";
import type { Services } from "./planted.ts";
import type { Random } from "./random.ts";

export const WEBHOOK_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const SECRET = "a secret of the simulator, long enough for a key";

/** A process of the product. Everything in its memory is lost when it ends. */
export type Process = ReturnType<typeof startProcess>;
/** A job that a process holds. Nobody else may hold one with the same name. */
type Hand = { job: Taken; until: number };

export type World = {
  clock: SimulatedClock;
  database: TestDatabase;
  faults: Faults;
  processes: Process[];
  services: Services;
  model: ReturnType<typeof createModel>;
  /** How other parties behave at the moment. */
  parties: Parties;
  hands: Map<string, Hand>;
};

type Parties = {
  mails: RenderedEmail[];
  /** The ids of emails that may have been sent without anybody knowing, and may be sent again. */
  unsureMails: Set<string>;
  mailFails: "before" | "after" | undefined;
  chainFails: boolean;
  responsesAreLost: boolean;
};

type Shared = Pick<World, "clock" | "database" | "parties">;

/** Starts a process on the database, in addition to any others. */
export function startProcess({ clock, database, parties }: Shared, name: string) {
  const { now } = clock;
  const db = drizzle(database.pool, { schema });
  const env = {
    ...readEnv({ LOG_LEVEL: "silent" }),
    heartbeatIntervalSeconds: 900,
    campaignWebhookSecrets: [WEBHOOK_SECRET],
  };
  const chain = makeFaultyChain(createEmbeddedChain({ db, log: SILENT, now, secrets: [SECRET] }), parties);
  const api = createTestApi({ db }, { env, now, chain, passwords: QUICK_PASSWORDS });
  const provider = openAuthProvider(api.deps);
  const delivery = { transport: createTransport(parties), origin: "http://nodebeat.test" };
  const schedules = describeSchedules(api.deps, provider);
  const kinds = { ...describeKinds(api.deps, provider, delivery), ...toKinds(schedules) };
  return {
    name,
    ...api,
    kinds,
    /** The jobs it has taken but not started. */
    held: [] as Taken[],
    prepare: () => queueSchedules(db, schedules, now()),
  };
}

/** Salted, but otherwise not real hashes: they must take no time, nor a thread, whose end would be unpredictable. */
const QUICK_PASSWORDS: PasswordHasher = {
  hash: async (password) => digest(password, createHash("sha256").update(password).digest("hex").slice(0, 8)),
  verify: async (hash, password) => Boolean(hash) && hash === digest(password, hash?.split("$")[1] ?? ""),
  needsRehash: () => false,
  ensureRoom: () => {},
  countWaiting: () => 0,
};

const digest = (password: string, salt: string) =>
  `simulated$${salt}$${createHash("sha256").update(`${salt} ${password}`).digest("hex")}`;

function makeFaultyChain(chain: ChainGateway, parties: Parties): ChainGateway {
  return {
    ...chain,
    async hasCode(address) {
      if (parties.chainFails) throw new AppError("UNAVAILABLE", "The network cannot be reached.", { retryAfter: 5 });
      return chain.hasCode(address);
    },
    async work(job) {
      if (parties.chainFails) throw new Error("The network cannot be reached.");
      return chain.work(job);
    },
  };
}

const createTransport = (parties: Parties) => ({
  async send(mail: RenderedEmail) {
    if (parties.mailFails === "before") throw new Error("451 try again later");
    parties.mails.push(mail);
    if (parties.mailFails !== "after") return;
    parties.unsureMails.add(mail.id);
    throw new Error("the connection was lost before the answer");
  },
  close() {},
});

/** Picks any of the processes, as a load balancer in front of them would. */
export function pickProcess({ processes }: World, random: Random): Process {
  const process = random.pick(processes);
  if (!process) throw new Error("There is a process at any time");
  return process;
}
