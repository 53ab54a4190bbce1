import { afterAll, beforeEach, expect, test } from "vitest";
import { readAudit, seedAdministrator } from "../../../tests/support/api/administration.ts";
import { createTestDatabase } from "../../../tests/support/database/test-database.ts";
import { openWebhooks, SESSION_SECRET } from "../../../tests/support/api/webhooks.ts";
import { pauseWebhook } from "../../webhooks/contract.ts";
import { startOperator } from "../operator.fixture.ts";

const database = await createTestDatabase();
const hooks = await openWebhooks(database);
const { deliverAll, deps, happen, receiver } = hooks;
beforeEach(() => hooks.reset());
afterAll(() => hooks.close());

const why = ["--reason", "Their server moves"];

test("an operator pauses and resumes a webhook, and the list shows since when and by whom it is paused", async () => {
  const ops = await startOperator(deps);
  const { id, url } = await hooks.add();
  const listed = `0 ${id}  ${url}  member.verified`;
  await happen("ada");
  expect(await ops("webhooks", "pause", id)).toMatch(/^2 .*--reason/);
  expect(await ops("webhooks", "pause", id, ...why)).toBe("0 Paused. 1 message waits.");
  expect(await ops("webhooks", "pause", id, ...why)).toBe("0 It was already paused. 1 message waits.");
  const counts = "0 delivered, 1 waiting, 0 given up";
  expect(await ops("webhooks", "list")).toBe(
    `${listed}  ${counts}  paused since 2026-11-20T12:00:00.000Z by the operator\n1 in all.`,
  );
  await deliverAll();
  expect(receiver.received).toEqual([]);

  expect(await ops("webhooks", "resume", id, ...why)).toBe("0 Resumed. 1 message is sent now.");
  expect(await ops("webhooks", "resume", id, ...why)).toBe("0 It was not paused.");
  await deliverAll();
  expect(await ops("webhooks", "list")).toBe(`${listed}  1 delivered, 0 waiting, 0 given up\n1 in all.`);
  expect(await ops("webhooks", "pause", crypto.randomUUID(), ...why)).toBe("1 There is no such webhook.");
  expect((await readAudit(database.db)).slice(1)).toMatchObject([
    { action: "webhook.paused", subjectId: id, actor: "operator", reason: "Their server moves" },
    { action: "webhook.resumed", subjectId: id, actor: "operator", reason: "Their server moves" },
  ]);
});

test("lists the email address of the administrator who paused a webhook", async () => {
  const { token } = await seedAdministrator(deps, "ada@example.com");
  const { id } = await hooks.add(["member.verified"], "https://example.com/\u001B[2J\r\nhook");
  await hooks.api.read(pauseWebhook, { token, params: { id }, body: { reason: "Noise" } });
  const ops = await startOperator(deps);
  const list = await ops("webhooks", "list");
  expect(list).toContain("by ada@example.com");
  // One line, without any control sequence for the terminal.
  expect(list).toContain(`0 ${id}  https://example.com/ [2J hook  member.verified  `);
});

test("an operator adds a webhook, lists and replays its deliveries, rotates its secret and removes it", async () => {
  const ops = await startOperator({ ...deps, secrets: async () => [SESSION_SECRET], webhooksToPrivate: true });
  const added = await ops("webhooks", "add", receiver.url, "member.verified", ...why);
  const [, id = "", secret = ""] = /^0 (\S+) .*\nSecret, shown only this once: (\S+)$/.exec(added) ?? [];
  await happen("ada");
  await deliverAll();
  hooks.verify(secret);
  const event = (await hooks.list(id))[0]?.id ?? "";
  const deliveries = (state: string) => ops("webhooks", "deliveries", id, "--state", state);
  expect(await deliveries("waiting")).toBe("0 0 shown.");
  expect(await deliveries("delivered")).toBe(
    `0 ${event}  member.verified  2026-11-20T12:00:00.000Z  delivered  tried 1 time\n1 shown.`,
  );
  expect(await ops("webhooks", "replay", id, "--event", event, ...why)).toBe("0 1 queued.");
  await deliverAll();
  expect(hooks.idsReceived()).toEqual([event, event]);
  const span = ["--since", "2026-11-20T12:00:00Z", "--undelivered"];
  expect(await ops("webhooks", "replay", id, ...span, ...why)).toBe("0 0 queued.");
  expect(await ops("webhooks", "rotate", id, ...why)).toMatch(
    /^0 Secret, shown only this once: whsec_\S+\nThe previous secret also signs until 2026-11-21T12:00:00\.000Z\.$/,
  );
  const restored = await startOperator({ ...deps, secrets: async () => ["another secret of the tests, long enough"] });
  expect(await restored("webhooks", "rotate", id, ...why)).toMatch(
    /^0 Secret, shown only this once: whsec_\S+\nThe previous secret cannot be read any more, so only this one signs\.$/,
  );
  expect(await ops("webhooks", "remove", id, ...why)).toBe("0 Removed.");
  expect(await ops("webhooks", "list")).toBe("0 None.");
});
