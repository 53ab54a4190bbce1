import { createHash } from "node:crypto";
import { compileEngineOnce } from "../support/database/empty-database.ts";
import { openTestDatabase } from "../support/database/test-database.ts";
import { createSimulatedClock } from "./clock.ts";
import { createFaults, injectFaults } from "./faulty-pool.ts";
import { checkAll, checkLedgerOf, nothingSeen, type Seen } from "./invariants.ts";
import { Broken, createModel, present } from "./model.ts";
import { PLANTED, SERVICES, SOUND, type Planted } from "./planted.ts";
import { seedPlatform } from "./platform.ts";
import { createRandom, type Random } from "./random.ts";
import { ACCOUNTS } from "./steps/accounts.ts";
import { NODES } from "./steps/nodes.ts";
import { OPERATORS } from "./steps/operators.ts";
import { REWARDS } from "./steps/rewards.ts";
import { SESSIONS } from "./steps/sessions.ts";
import { DAY, HOUR, MINUTE, type Step } from "./steps/step.ts";
import { endTroubles, TROUBLES } from "./steps/troubles.ts";
import { WALLETS } from "./steps/wallets.ts";
import { doJobs, WORKERS } from "./steps/workers.ts";
import { startProcess, type World } from "./world.ts";

const STEPS = [ACCOUNTS, SESSIONS, NODES, REWARDS, OPERATORS, WALLETS, WORKERS, TROUBLES].flat();
const FEW = 4;
const OPENING = STEPS.filter(({ name }) =>
  ["sign up", "verify", "work", "appoint the administrator", "make or change a campaign"].includes(name),
);
const TOGETHER = STEPS.filter(({ together }) => together);

type Options = { seed: number; steps: number; planted?: string | undefined };

export type Simulation = {
  seed: number;
  /** What happened, one line per step. */
  history: string[];
  /** The hash of the history: equal if the whole history is. */
  hash: string;
  /** What broke, and at which step. */
  broken: string | undefined;
  steps: number;
  simulatedDays: number;
};

/** Plays a seed on its own database. */
export async function simulate({ planted, seed, steps }: Options): Promise<Simulation> {
  const defect: Planted | undefined = planted === undefined ? SOUND : PLANTED[planted];
  if (!defect) throw new Error(`There is no planted defect with the name ${planted}`);
  // So that the next seed, which opens another engine, does not compile it again.
  await compileEngineOnce();
  const database = await openTestDatabase();
  try {
    if (defect.plant) await database.pool.query(defect.plant);
    const clock = createSimulatedClock();
    const faults = createFaults(clock);
    injectFaults(database.pool, faults, createRandom(`${seed} order`));
    seedPlatform(String(seed), clock.now);
    return await play(createWorld({ clock, database, faults }, defect), { seed, steps });
  } finally {
    await database.close();
  }
}

type Given = Pick<World, "clock" | "database" | "faults">;

function createWorld(given: Given, { rewrite, services }: Planted): World {
  const parties = {
    mails: [],
    unsureMails: new Set<string>(),
    mailFails: undefined,
    chainFails: false,
    responsesAreLost: false,
  };
  const processes = ["one", "two"].map((name) => startProcess({ ...given, parties }, name));
  if (rewrite) given.faults.rewrite = rewrite();
  return {
    ...given,
    parties,
    processes,
    services: { ...SERVICES, ...services },
    model: createModel(),
    hands: new Map(),
  };
}

async function play(world: World, { seed, steps }: Options): Promise<Simulation> {
  const random = createRandom(`${seed} steps`);
  const seen = nothingSeen();
  const history: string[] = [];
  let broken: string | undefined;
  try {
    for (const process of world.processes) await process.prepare();
    for (let index = 1; index <= steps; index += 1) {
      const line = await takeStep(world, random);
      history.push(`${String(index).padStart(4)}  ${describeTime(world)}  ${line}`);
      await check(world, random, seen);
    }
    await drain(world, random, seen);
    history.push(await sumUp(world));
  } catch (error) {
    broken = error instanceof Broken ? error.message : String(error instanceof Error ? error.stack : error);
    history.push(`      ${describeTime(world)}  broken: ${broken}`);
  }
  const hash = createHash("sha256").update(history.join("\n")).digest("hex").slice(0, 16);
  return { seed, history, hash, broken, steps: history.length - 1, simulatedDays: world.clock.elapsed() / DAY };
}

const describeTime = ({ clock }: World) => clock.now().toISOString().slice(5, 19).replace("T", " ");

/** Takes one step, or several at the same moment. Now and then the connection is lost meanwhile. */
async function takeStep(world: World, random: Random): Promise<string> {
  const count = random.chance(0.12) ? random.between(2, 4) : 1;
  // Without members, little can happen.
  const isEmpty = present(world.model).length < FEW && random.chance(0.7);
  const chosen = isEmpty
    ? [choose(OPENING, random)]
    : count === 1
      ? [choose(STEPS, random)]
      : Array.from({ length: count }, () => choose(TOGETHER, random));
  const own = chosen.map(({ name }) => random.fork(name));
  const isCut = random.chance(0.12);
  const when = random.chance(0.5) ? "before" : "after";
  world.faults.cut = isCut ? { queries: random.between(1, 12), when } : undefined;
  const struck = world.faults.count;
  const told = await Promise.all(chosen.map(({ run }, index) => run(world, own[index] ?? random)));
  world.faults.cut = undefined;
  world.clock.advance(random.below(2 * MINUTE));
  const lines = chosen.map(({ name }, index) => `${name}: ${told[index]}`);
  const cut = world.faults.count > struck ? ` [cut ${when}]` : "";
  return lines.join(" | ") + cut;
}

function choose(steps: Step[], random: Random): Step {
  let left = random.below(steps.reduce((sum, { weight }) => sum + weight, 0));
  const found = steps.find(({ weight }) => (left -= weight) < 0);
  if (!found) throw new Error("There is a step for every number");
  return found;
}

/** Checks the world while no fault is active, so that the result is reliable. */
async function check(world: World, random: Random, seen: Seen): Promise<void> {
  const { faults, parties } = world;
  const { slowness } = faults;
  const { responsesAreLost } = parties;
  faults.slowness = 0;
  parties.responsesAreLost = false;
  await checkAll(world, random, seen);
  faults.slowness = slowness;
  parties.responsesAreLost = responsesAreLost;
}

/** Long enough for every lease and wait to end, and for accounts to be deleted. */
const LONGEST_DRAIN = 100;
const LEFT = `select kind, key, dead_at is not null as "isDead" from background_jobs
  where kind in ('mail', 'email-campaign', 'chain', 'erase-account')`;

/**
 * Ends all troubles, and expects that queued jobs are done soon, and that none is given up except emails that are too
 * old.
 */
async function drain(world: World, random: Random, seen: Seen): Promise<void> {
  endTroubles(world);
  // What is requested at the end of a grace period is done then.
  world.clock.advance(Math.max(0, world.clock.latest() - world.clock.now().getTime()) + 15 * DAY);
  for (let round = 0; round < LONGEST_DRAIN; round += 1) {
    let done = 0;
    for (const process of world.processes) done += await doJobs(world, process);
    const { rows } = await world.database.pool.query<{ kind: string; isDead: boolean }>(LEFT);
    const waiting = rows.filter(({ isDead }) => !isDead);
    const given = rows.find(({ isDead, kind }) => isDead && kind !== "mail");
    if (given) throw new Broken(`a job was given up: ${given.kind}`);
    if (waiting.length === 0 && done === 0) break;
    if (round === LONGEST_DRAIN - 1) throw new Broken(`${waiting.length} jobs are never done`);
    world.clock.advance(waiting.length > 0 ? 10 * MINUTE : HOUR);
    if (waiting.length === 0) break;
  }
  await check(world, random, seen);
  for (const member of world.model.members) {
    if (member.leaving === "yes" && !member.isErased) throw new Broken(`${member.name} is never deleted`);
    await checkLedgerOf(world, member);
  }
}

const SUMMARY = `select count(*) as entries, coalesce(sum(points), 0)::float as points,
  (select count(*) from users) as members, (select count(*) from audit_entries) as notes,
  (select count(*) from security_events) as events from points_ledger`;

async function sumUp({ database, parties }: World): Promise<string> {
  const { rows } = await database.pool.query(SUMMARY);
  return `      ${JSON.stringify({ ...rows[0], mails: parties.mails.length })}`;
}
