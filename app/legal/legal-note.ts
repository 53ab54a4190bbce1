import type { LegalDocumentName } from "../../server/legal/contract.ts";
import { dropCookie, readCookie, writeCookie } from "../cookies/plain-cookie.ts";

/** What became of a form: the box was not checked, or the acceptance could not be saved. */
export type LegalOutcome = "accepted" | "required" | "failed";
export type LegalNote = { document: LegalDocumentName; outcome: LegalOutcome };

const COOKIE = "legal_note";
const NOTE = /^(tos|pp)\.(accepted|required|failed)$/;

/** The `Set-Cookie` value by which the page that a form leads back to says what became of it. */
export const leaveNote = ({ document, outcome }: LegalNote): string =>
  writeCookie(COOKIE, `${document}.${outcome}`, { maxAge: 60, httpOnly: true });

/** The note for a page, and the `Set-Cookie` values after which there is none. */
export function takeNote(request: Request): { note: LegalNote | null; forget: string[] } {
  const [, document, outcome] = NOTE.exec(readCookie(request.headers.get("Cookie") ?? "", COOKIE) ?? "") ?? [];
  if (!document || !outcome) return { note: null, forget: [] };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the pattern lets no others through
  return { note: { document, outcome } as LegalNote, forget: [dropCookie(COOKIE, { httpOnly: true })] };
}
