import { uuidv7 } from "uuidv7";
import type { Db, Tx } from "../db/client.ts";
import type { Deps } from "../deps.ts";
import { nameDevice, nameNetwork, type Client } from "../http/client.ts";
import { SecurityEvent, type SecurityActivity, type SecurityActivityQuery } from "./contract.ts";
import { findEvents, insertEvent, NOBODY } from "./queries.ts";

type Happening = {
  /** Undefined if nobody has the address. */
  userId: string | undefined;
  kind: SecurityEvent["kind"];
  client: Client;
};

/** Records what happened to an account, in the transaction in which it happens. */
export async function recordEvent(
  { db, now }: { db: Db | Tx; now: () => Date },
  { userId = NOBODY, kind, client }: Happening,
): Promise<void> {
  const { address, userAgent } = client;
  const place = { device: nameDevice(userAgent), network: nameNetwork(address) };
  await insertEvent(db, { userId, id: uuidv7(), kind, ...place, occurredAt: now() });
}

/** Returns a page of what happened to a member's account, newest first. */
export async function readSecurityActivity(
  { db }: Pick<Deps, "db">,
  userId: string,
  { limit, page }: SecurityActivityQuery,
): Promise<SecurityActivity> {
  const rows = await findEvents(db, { userId, limit, offset: (page - 1) * limit });
  const total = rows[0]?.total ?? 0;
  return {
    events: rows.flatMap(({ occurredAt, ...event }) =>
      occurredAt ? SecurityEvent.parse({ ...event, occurredAt: occurredAt.toISOString() }) : [],
    ),
    pagination: { limit, page, total, totalPages: Math.ceil(total / limit) },
  };
}
