import { createSeal, type Seal } from "../secrets/seal.ts";
import type { Secrets } from "../secrets/secrets.ts";

/** What an installation tells others with. */
export type Outgoing = {
  /** Of the secrets in the database. */
  seal: Seal;
  /** Whether messages may go to this machine or its network. */
  toPrivate: boolean;
};

/** What is sealed for this purpose: each secret under its webhook's id. */
export const WEBHOOK_SECRETS = "webhook secrets";

export const openOutgoing = (secrets: Secrets, { toPrivate }: Pick<Outgoing, "toPrivate">): Outgoing => ({
  seal: createSeal(secrets, WEBHOOK_SECRETS),
  toPrivate,
});
