import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

const command = new URL("simulate.command.ts", import.meta.url);

function simulate(...options: string[]) {
  const { status, stderr, stdout } = spawnSync(process.execPath, [command.pathname, ...options], { encoding: "utf8" });
  return { status, stderr, stdout };
}

const hashOf = (seed: number, told: string) => new RegExp(`^seed ${seed}: .* history (\\w+)`, "m").exec(told)?.[1];

test("days of members, nodes, operators and faults break nothing, and a seed is the same story each time", () => {
  const several = simulate("--seeds", "1..2", "--steps", "60");
  expect(several).toMatchObject({ status: 0, stderr: "" });
  const alone = simulate("--seed", "2", "--steps", "60");
  expect(alone).toMatchObject({ status: 0, stderr: "" });
  expect(hashOf(2, alone.stdout)).toMatch(/^\w{16}$/);
  expect(hashOf(2, alone.stdout)).toBe(hashOf(2, several.stdout));
  expect(hashOf(1, several.stdout)).not.toBe(hashOf(2, several.stdout));
});

test("a planted defect is found, with what broke and how to see it again", () => {
  const { status, stdout } = simulate("--planted", "audit-left-out", "--seeds", "1..3", "--steps", "80");
  expect(status).toBe(0);
  expect(stdout).toContain("It does not hold that who is on the whitelist, or blocked, is so by the audit log");
  expect(stdout).toMatch(/^ +\d+ {2}\d\d-\d\d .*whitelist: m\d/m);
  expect(stdout).toMatch(/^Again: npm run simulate -- --seed \d --steps 80 --planted audit-left-out$/m);
});
