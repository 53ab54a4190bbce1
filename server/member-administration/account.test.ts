import { expect, test } from "vitest";
import { seedAdministrator } from "../../tests/support/administration.ts";
import { seedMember } from "../../tests/support/api.ts";
import { openTestApi } from "../../tests/support/open-test-api.ts";
import { registerDevice, sendHeartbeats } from "../heartbeats/contract.ts";
import { readMember } from "./contract.ts";

/* What an administrator finds on the page of a member who asks where their points are. */

const { api, clock } = await openTestApi();

test("an account shows which of its heartbeats were refused, and why", async () => {
  const admin = await seedAdministrator(api.deps);
  const [{ token, user }, other] = [await seedMember(api.deps), await seedMember(api.deps)];
  const { deviceKey } = await api.read(registerDevice, { token, body: { name: "attic" } });
  const now = clock.now().toISOString();
  const ahead = new Date(clock.now().getTime() + 3_600_000).toISOString();
  const beats = [{ timestamp: now }, { timestamp: ahead }];
  await api.read(sendHeartbeats, { token: deviceKey, body: { beats } });
  const read = async (id: string) => (await api.read(readMember, { token: admin.token, params: { id } })).refusedBeats;
  const message = expect.stringContaining("clock");
  expect(await read(user.id)).toEqual([
    { claimedAt: ahead, receivedAt: now, reason: "too_early", message, device: "attic" },
  ]);
  expect(await read(other.user.id)).toEqual([]);
});
