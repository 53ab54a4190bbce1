import type { Db, Tx } from "./client.ts";

/**
 * One prepared query per database: built on first use and kept as long as the database is.
 * `build` ends in `.prepare("name")`; the name is the statement's on the connection, so each is used once in the code.
 */
export function prepared<Q>(build: (db: Db | Tx) => Q): (db: Db | Tx) => Q {
  const built = new WeakMap<Db | Tx, { query: Q }>();
  return (db) => {
    const known = built.get(db);
    if (known) return known.query;
    const query = build(db);
    built.set(db, { query });
    return query;
  };
}
