import { createCookie } from "react-router";

/** What a sign-in leaves behind: the bearer token, and whose it is (the "stored user"). */
export type Session = { accessToken: string; userId?: string };

/** The API's tokens expire sooner or later by its own rules; the browser gives up after this. */
const MAX_AGE_SECONDS = 30 * 24 * 60 * 60;

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
    commit: (session: Session): Promise<string> => cookie.serialize(session, { maxAge: MAX_AGE_SECONDS }),
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
