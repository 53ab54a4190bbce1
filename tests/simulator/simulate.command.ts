import { PLANTED } from "./planted.ts";
import { simulate, type Simulation } from "./simulate.ts";
import { readNumber, readOptions, refuse } from "../support/command-options.ts";

const HELP = `Plays days of members, nodes, operators and faults on the real services and database, from a seed.

  npm run simulate -- --seed 7                  one seed
  npm run simulate -- --seeds 1..100            many seeds, until one breaks a rule
  npm run simulate -- --seed 7 --steps 500      another number of steps than 200
  npm run simulate -- --seed 7 --history        prints everything that happened
  npm run simulate -- --seed 7 --twice          plays it twice, and fails if the histories differ
  npm run simulate -- --planted <name>          plants a defect, and fails if 100 seeds do not find it

Planted defects:
${Object.entries(PLANTED)
  .map(([name, { what }]) => `  ${name.padEnd(26)}${what}`)
  .join("\n")}`;

const { values } = readOptions(HELP, {
  options: {
    seed: { type: "string" },
    seeds: { type: "string" },
    steps: { type: "string", default: "200" },
    planted: { type: "string" },
    history: { type: "boolean", default: false },
    twice: { type: "boolean", default: false },
  },
});
const LAST = 25;

process.exitCode = await run();

async function run(): Promise<number> {
  const { history: isWhole, planted } = values;
  const steps = readNumber("--steps", values.steps);
  const [first, last] = readSeeds();
  if (planted !== undefined && !PLANTED[planted]) refuse(`There is no planted defect ${planted}.`);
  for (let seed = first; seed <= last; seed += 1) {
    const begun = performance.now();
    const result = await simulate({ seed, steps, planted });
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    if (isWhole) console.log(result.history.join("\n"));
    if (result.broken !== undefined) {
      report(result, { isWhole, planted, steps });
      return planted === undefined ? 1 : 0;
    }
    if (values.twice && (await simulate({ seed, steps, planted })).hash !== result.hash) {
      console.log(`seed ${seed} had another history the second time: something in it does not come from the seed`);
      return 1;
    }
    const days = result.simulatedDays.toFixed(1);
    console.log(`seed ${seed}: ${steps} steps, ${days} days, history ${result.hash} (${seconds} s)`);
  }
  // If no seed finds a planted defect, the simulator is useless.
  return planted === undefined ? 0 : 1;
}

function readSeeds(): [number, number] {
  const { planted, seed, seeds } = values;
  const given = seeds ?? seed ?? (planted === undefined ? "1" : "1..100");
  const [, first = "", last = first] = /^(\d+)(?:\.\.(\d+))?$/.exec(given) ?? [];
  if (!first || Number(last) < Number(first))
    refuse("Seeds are whole numbers, the lower one first, as in --seeds 1..100.");
  return [readNumber("--seeds", first, 0), readNumber("--seeds", last, 0)];
}

type Asked = { isWhole: boolean; planted: string | undefined; steps: number };

function report({ broken, hash, history, seed }: Simulation, { isWhole, planted, steps }: Asked) {
  if (!isWhole) console.log(history.slice(-LAST).join("\n"));
  const defect = planted === undefined ? "" : ` --planted ${planted}`;
  console.log(`\nseed ${seed} breaks after ${history.length - 1} steps, history ${hash}\n${broken}`);
  console.log(`\nAgain: npm run simulate -- --seed ${seed} --steps ${steps}${defect}`);
}
