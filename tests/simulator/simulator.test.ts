import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const command = fileURLToPath(new URL("simulate.command.ts", import.meta.url));

async function simulate(...options: string[]) {
  const child = spawn(process.execPath, [command, ...options], { stdio: ["ignore", "pipe", "pipe"] });
  const [[status], told, complained] = await Promise.all([once(child, "exit"), text(child.stdout), text(child.stderr)]);
  return { status, told, complained };
}

test("simulated days with faults break no invariant, and the same seed gives the same history again", async () => {
  const { complained, status, told } = await simulate("--seed", "2", "--steps", "45", "--twice");
  expect({ complained, status }).toEqual({ complained: "", status: 0 });
  expect(told).toMatch(/^seed 2: 45 steps, \d+\.\d days, history \w{16} /);
});

test("reports a planted defect with the broken invariant and the command that reproduces it", async () => {
  const { status, told } = await simulate("--planted", "days-of-tokyo", "--seeds", "1..3", "--steps", "40");
  expect(status).toBe(0);
  expect(told).toContain("It does not hold that the days are the sums of the ledger: m");
  expect(told).toMatch(/^ +\d+ {2}\d\d-\d\d [\d:]+ .*(beat|claim|jobs|adjust|verify)/m);
  expect(told).toMatch(/^Again: npm run simulate -- --seed \d --steps 40 --planted days-of-tokyo$/m);
});
