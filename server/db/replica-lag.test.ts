import { expect, test } from "vitest";
import { ReplicaLag } from "./replica-lag.ts";

test("a replica of a primary that was restored from a backup counts again once it has what that has now", () => {
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
