import type { Db, Tx } from "./client.ts";

/**
 * Prepares one query per database: builds it on first use and keeps it as long as the database. `build` ends in
 * `.prepare("name")`. The connection knows the statement by that name, so use each name once in the code.
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
