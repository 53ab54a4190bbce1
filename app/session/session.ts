import * as z from "zod";
import { SESSION_LIFETIME_SECONDS } from "../../server/sessions/contract.ts";
import { createCredentialCookie } from "../cookies/credential-cookie.ts";

const Session = z.object({
  // It goes into a header. Anything but visible ASCII would end the header, or throw.
  accessToken: z.string().regex(/^[!-~]{1,4096}$/),
  userId: z.string().min(1).optional().catch(undefined),
});

/** What a sign-in leaves behind: the bearer token, and the id of its member (the "stored user"). */
export type Session = z.infer<typeof Session>;

export type SessionCookie = ReturnType<typeof createSessionCookie>;

/** Creates the cookie that carries a session. */
export const createSessionCookie = (publicUrl: string | undefined) =>
  createCredentialCookie({ name: "nodebeat_session", maxAge: SESSION_LIFETIME_SECONDS, publicUrl, schema: Session });
