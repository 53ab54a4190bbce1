import { createSeal, type Seal } from "../secrets/seal.ts";
import type { Secrets } from "../secrets/secrets.ts";

/** How an installation sends webhook messages. */
export type Outgoing = {
  /** Seals the secrets in the database. */
  seal: Seal;
  /** Whether messages may go to this machine or its network. */
  toPrivate: boolean;
};

/** The purpose of the seal. Each secret is sealed under its webhook's id. */
export const WEBHOOK_SECRETS = "webhook secrets";

export const openOutgoing = (secrets: Secrets, { toPrivate }: Pick<Outgoing, "toPrivate">): Outgoing => ({
  seal: createSeal(secrets, WEBHOOK_SECRETS),
  toPrivate,
});
