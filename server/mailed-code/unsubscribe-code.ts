import * as z from "zod";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { findFormerKeys } from "./former-keys.ts";

type Kind = "silenceLink" | "campaignLink";
type MailedDeps = Pick<Deps, "mailed">;

/** The code of the link that ends one kind of mails: it opens nothing else, and is as good in ten years. */
export const createUnsubscribeCode = ({ mailed }: MailedDeps, kind: Kind, userId: string): string =>
  `${userId}.${mailed.createLink(kind, userId).token}`;

/** Whose code it is. Throws NOT_FOUND for one that is nobody's. */
export async function readUnsubscribeCode(deps: Pick<Deps, "db" | "mailed">, kind: Kind, code: string) {
  const [id = "", ...rest] = code.split(".");
  const { data: userId } = z.uuid().safeParse(id);
  const token = rest.join(".");
  if (userId && deps.mailed.isLink(kind, userId, token)) return userId;
  // The secret of the mail's time may be gone: its links are as good as ever.
  if (userId && deps.mailed.isLink(kind, userId, token, await findFormerKeys(deps))) return userId;
  throw new AppError("NOT_FOUND", "This link is incomplete. Copy the whole link from the email.");
}
