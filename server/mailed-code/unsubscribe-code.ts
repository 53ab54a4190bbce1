import * as z from "zod";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { findFormerKeys } from "./former-keys.ts";

type Kind = "silenceLink" | "campaignLink";
type MailedDeps = Pick<Deps, "mailed">;

/** Creates the code of the link that ends one kind of mail. It does nothing else, and never expires. */
export const createUnsubscribeCode = ({ mailed }: MailedDeps, kind: Kind, userId: string): string =>
  `${userId}.${mailed.createLink(kind, userId).token}`;

/** Returns the member whose code this is. Throws NOT_FOUND if it is nobody's. */
export async function readUnsubscribeCode(deps: Pick<Deps, "db" | "mailed">, kind: Kind, code: string) {
  const [id = "", ...rest] = code.split(".");
  const { data: userId } = z.uuid().safeParse(id);
  const token = rest.join(".");
  if (userId && deps.mailed.isLink(kind, userId, token)) return userId;
  // The secret from when the mail was sent may be gone, but its links must still work.
  if (userId && deps.mailed.isLink(kind, userId, token, await findFormerKeys(deps))) return userId;
  throw new AppError("NOT_FOUND", "This link is incomplete. Copy the whole link from the email.");
}
