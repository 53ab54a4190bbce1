import { createCookie } from "react-router";
import { SESSION_LIFETIME_SECONDS } from "../../server/sessions/contract.ts";

/** What a sign-in leaves behind: the bearer token, and whose it is (the "stored user"). */
export type Session = { accessToken: string; userId?: string };

export type SessionCookie = ReturnType<typeof createSessionCookie>;

/**
 * The cookie that carries a session. JavaScript cannot read it, and it goes to no other site.
 * On https its name makes the browser refuse one set for another path, by another host or without encryption.
 */
export function createSessionCookie(publicUrl: string | undefined) {
  const secure = publicUrl?.startsWith("https:") ?? false;
  const cookie = createCookie(secure ? "__Host-nodebeat_session" : "nodebeat_session", {
    httpOnly: true,
    sameSite: "lax",
    path: "/",
    secure,
  });
  return {
    /** The session a request comes with; null without one, or with one that is not ours. */
    read: async (request: Request): Promise<Session | null> =>
      toSession(await cookie.parse(request.headers.get("Cookie"))),
    /** The `Set-Cookie` value that begins a session. */
    commit: (session: Session): Promise<string> => cookie.serialize(session, { maxAge: SESSION_LIFETIME_SECONDS }),
    /** Whether a `Set-Cookie` value is one that begins a session. */
    isCommit: (line: string): boolean => line.startsWith(`${cookie.name}=`) && !/; Max-Age=0(?:;|$)/.test(line),
    /** The `Set-Cookie` value that ends it. */
    destroy: (): Promise<string> => cookie.serialize("", { maxAge: 0 }),
  };
}

function toSession(value: unknown): Session | null {
  if (typeof value !== "object" || value === null || !("accessToken" in value)) return null;
  const { accessToken } = value;
  // It ends up in a header, where anything but a plain token would throw.
  if (typeof accessToken !== "string" || !/^[\w.~+/=-]{1,4096}$/.test(accessToken)) return null;
  const userId = "userId" in value ? value.userId : undefined;
  return typeof userId === "string" && userId ? { accessToken, userId } : { accessToken };
}
