import type { Db, Tx } from "./client.ts";
import { precomputeDecoders } from "./row-mapper.ts";

/**
 * Prepares one query per pool, and one for the transactions of each connection: builds it on first use and keeps it as
 * long as the pool or the connection. `build` ends in `.prepare("name")`. The connection knows the statement by that
 * name, so use each name once in the code.
 */
export function prepared<Q>(build: (db: Db | Tx) => Q): (db: Db | Tx) => Q {
  const built = new WeakMap<object, { query: Q }>();
  return (db) => {
    const client = clientOf(db);
    const known = built.get(client);
    if (known) return known.query;
    const query = build(db);
    precomputeDecoders(query);
    built.set(client, { query });
    return query;
  };
}

/** Returns what a built query sends its statement to: the pool or, in a transaction, its connection. */
function clientOf({ _: { session } }: Db | Tx): object {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Drizzle's types hide it
  return (session as unknown as { client: object }).client;
}
