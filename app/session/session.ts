import { SESSION_LIFETIME_SECONDS } from "../../server/sessions/contract.ts";
import { createCredentialCookie } from "../cookies/credential-cookie.ts";

/** What a sign-in leaves behind: the bearer token, and whose it is (the "stored user"). */
export type Session = { accessToken: string; userId?: string };

export type SessionCookie = ReturnType<typeof createSessionCookie>;

/** The cookie that carries a session. */
export const createSessionCookie = (publicUrl: string | undefined) =>
  createCredentialCookie({ name: "nodebeat_session", maxAge: SESSION_LIFETIME_SECONDS, publicUrl, toValue: toSession });

function toSession(value: unknown): Session | null {
  if (typeof value !== "object" || value === null || !("accessToken" in value)) return null;
  const { accessToken } = value;
  // It ends up in a header, where anything but a plain token would throw.
  if (typeof accessToken !== "string" || !/^[\w.~+/=-]{1,4096}$/.test(accessToken)) return null;
  const userId = "userId" in value ? value.userId : undefined;
  return typeof userId === "string" && userId ? { accessToken, userId } : { accessToken };
}
