import { runDue } from "./jobs.ts";
import { BY_OPERATOR } from "./administration.ts";
import { createTestApi, createTestClock } from "./api.ts";
import type { TestDatabase } from "../database/test-database.ts";
import { startReceiver } from "../servers/webhook-receiver.ts";
import { OPERATOR } from "../../../server/administration/actor.ts";
import { announce } from "../../../server/announcements/announce.queries.ts";
import type { AnnouncedType } from "../../../server/announcements/contract.ts";
import { inTransaction } from "../../../server/db/transaction.ts";
import { createLog } from "../../../server/log/log.ts";
import { WebhookHeaders } from "../../../server/webhooks/contract.ts";
import { createWebhookDelivery } from "../../../server/webhooks/deliver.ts";
import { addWebhook, readDeliveries } from "../../../server/webhooks/endpoints.ts";
import { openOutgoing } from "../../../server/webhooks/outgoing.ts";
import { pauseWebhook, resumeWebhook } from "../../../server/webhooks/pause.ts";
import type { Sending } from "../../../server/webhooks/send.ts";
import { readWebhookKey, verifyMessage } from "../../../server/webhooks/signature.ts";

/** The secret with which the webhooks' secrets are sealed. */
export const SESSION_SECRET = "a secret of the tests, long enough for a key";

/** Opens an installation that sends webhook messages to a receiver, with its own clock. */
export async function openWebhooks(database: TestDatabase, clock = createTestClock()) {
  const { db } = database;
  const lines: string[] = [];
  const log = createLog({ level: "debug", destination: { write: (line) => void lines.push(line) } });
  const outgoing = openOutgoing([SESSION_SECRET], { toPrivate: true });
  const api = createTestApi(database, { now: clock.now, log, outgoing });
  const { deps } = api;
  const receiver = await startReceiver();
  const open = (sending: Partial<Sending> = {}) => createWebhookDelivery(deps, { ca: receiver.ca, ...sending });
  const kinds = open();
  /** Runs the jobs that are due, by default in one process. */
  const deliver = (sending?: Partial<Sending>) => runDue(deps, sending ? open(sending) : kinds);
  /** Runs jobs until none is due, without advancing the clock. */
  const deliverAll = async () => {
    while ((await deliver()).length > 0);
  };
  const happen = (subject: string, type: AnnouncedType = "member.verified") =>
    inTransaction(db, (tx) => announce(tx, { type, subject, at: clock.now(), data: { memberId: subject } }));

  return {
    api,
    deps,
    clock,
    lines,
    outgoing,
    receiver,
    deliver,
    deliverAll,
    pause: (id: string) => pauseWebhook(deps, BY_OPERATOR, { id }),
    resume: (id: string) => resumeWebhook(deps, BY_OPERATOR, { id }),
    add: (events: AnnouncedType[] = ["member.verified"], url = receiver.url) =>
      addWebhook(deps, BY_OPERATOR, { url, events }),
    happen,
    /** One at a time. */
    happenAll: async (subjects: string[]) => {
      for (const subject of subjects) await happen(subject);
    },
    list: async (id: string) => (await readDeliveries(deps, OPERATOR, { id, limit: 100 })).deliveries,
    idsReceived: () => receiver.received.map(({ headers }) => headers["webhook-id"]),
    subjectsReceived: () => receiver.received.map(({ text }) => String(JSON.parse(text).data.memberId)),
    /** Throws unless the first message received is signed with the secret. */
    verify: (secret: string) => {
      const { headers, text } = receiver.received[0] ?? { headers: {}, text: "" };
      const key = readWebhookKey(secret);
      if (!key) throw new Error("no secret");
      verifyMessage([key], { headers: WebhookHeaders.parse(headers), text }, clock.now());
    },
    async reset() {
      lines.length = 0;
      receiver.reset();
      await database.reset();
    },
    async close() {
      await receiver.stop();
      await database.close();
    },
  };
}
