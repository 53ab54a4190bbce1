import { expect, test } from "vitest";
import { ReplicaLag } from "./replica-lag.ts";

test("after its primary is restored from a backup, a replica is up to date again once it has caught up", () => {
  const lag = new ReplicaLag();
  const now = performance.now();
  lag.note(5_000n, now);
  lag.reach(5_000n);
  lag.note(9_000n, now);
  expect(lag.milliseconds).toBeLessThan(60_000);

  lag.note(3_000n, now);
  expect(lag.milliseconds).toBe(Infinity);
  lag.reach(2_900n);
  expect(lag.milliseconds).toBe(Infinity);
  lag.reach(3_000n);
  expect(lag.milliseconds).toBeLessThan(60_000);
});
