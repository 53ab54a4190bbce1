import { timingSafeEqual } from "node:crypto";
import * as z from "zod";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { hashCredential } from "../secrets/credential.ts";

type Kind = "silenceLink" | "campaignLink";
type Mailed = Pick<Deps, "mailed">;

/** The code of the link that ends one kind of mails: it opens nothing else, and is as good in ten years. */
export const createUnsubscribeCode = ({ mailed }: Mailed, kind: Kind, userId: string): string =>
  `${userId}.${mailed.createLink(kind, userId).token}`;

/** Whose code it is. Throws NOT_FOUND for one that is nobody's. */
export function readUnsubscribeCode(deps: Mailed, kind: Kind, code: string): string {
  const { data: userId } = z.uuid().safeParse(code.split(".")[0]);
  const isTheirs =
    userId && timingSafeEqual(hashCredential(code), hashCredential(createUnsubscribeCode(deps, kind, userId)));
  if (isTheirs) return userId;
  throw new AppError("NOT_FOUND", "This link is incomplete. Copy the whole link from the mail.");
}
