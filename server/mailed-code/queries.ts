import type { Db, Tx } from "../db/client.ts";
import { formerKeys } from "../db/schema.ts";

/** Finds the keys of former secrets, as they are kept: sealed with the present one. */
export const findSealedKeys = (db: Db | Tx) => db.select().from(formerKeys);
