import type { Random } from "../random.ts";
import { startProcess, type World } from "../world.ts";
import { DAY, HOUR, MINUTE, type Step } from "./step.ts";

async function letTimePass(world: World, random: Random): Promise<string> {
  const longest = random.chance(0.06) ? 6 * DAY : random.chance(0.3) ? 3 * HOUR : 20 * MINUTE;
  const time = random.between(1000, longest);
  world.clock.advance(time);
  return `${Math.round(time / 1000)} s`;
}

async function jump(world: World, random: Random): Promise<string> {
  const most = random.chance(0.2) ? 4 * DAY : 2 * HOUR;
  const time = random.between(-most, most);
  world.clock.advance(time);
  return `${Math.round(time / 1000)} s`;
}

/** Restarts a process: everything in its memory is lost, including jobs it held. */
async function restart(world: World, random: Random): Promise<string> {
  const index = random.below(world.processes.length);
  const name = world.processes[index]?.name ?? "";
  world.processes[index] = startProcess(world, name);
  return name;
}

async function makeMailFail(world: World, random: Random): Promise<string> {
  world.parties.mailFails = random.pick(["before", "after", undefined]);
  return world.parties.mailFails ?? "well again";
}

async function makeChainFail(world: World): Promise<string> {
  world.parties.chainFails = !world.parties.chainFails;
  return world.parties.chainFails ? "out of reach" : "well again";
}

async function slowDown(world: World, random: Random): Promise<string> {
  world.faults.slowness = world.faults.slowness > 0 ? 0 : random.between(100, 4000);
  return world.faults.slowness > 0 ? `${world.faults.slowness} ms a query` : "well again";
}

async function loseResponses(world: World): Promise<string> {
  world.parties.responsesAreLost = !world.parties.responsesAreLost;
  return world.parties.responsesAreLost ? "some are lost" : "well again";
}

export const TROUBLES: Step[] = [
  { name: "time passes", weight: 18, run: letTimePass },
  { name: "the clock jumps", weight: 2, run: jump },
  { name: "a process starts again", weight: 3, run: restart },
  { name: "mail fails", weight: 2, run: makeMailFail },
  { name: "the chain fails", weight: 2, run: makeChainFail },
  { name: "the disk is slow", weight: 2, run: slowDown },
  { name: "answers are lost", weight: 2, run: loseResponses },
];

/** Ends all troubles. */
export function endTroubles({ faults, parties }: World): void {
  faults.end();
  Object.assign(parties, { mailFails: undefined, chainFails: false, responsesAreLost: false });
}
