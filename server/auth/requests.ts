import type { Deps } from "../deps.ts";
import { deleteExpiredResets } from "./password-reset.queries.ts";
import { deleteExpiredSignUps } from "./sign-up.queries.ts";

const PRUNE_LIMIT = 5000;

/** Removes a bounded number of sign-ups and password resets that nobody finished in time. */
export async function pruneRequests({ db, now }: Pick<Deps, "db" | "now">) {
  const expired = { before: now(), limit: PRUNE_LIMIT };
  return {
    signUps: await deleteExpiredSignUps(db, expired),
    passwordResets: await deleteExpiredResets(db, expired),
  };
}
