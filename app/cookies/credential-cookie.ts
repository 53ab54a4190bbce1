import { createCookie } from "react-router";

type CookieOptions<T> = {
  /** Such as `nodebeat_session`; the name on https has the prefix `__Host-`. */
  name: string;
  /** In seconds. */
  maxAge: number;
  /** The public address; decides whether the cookie is for https alone. */
  publicUrl: string | undefined;
  /** What a browser sent, when it is ours; null otherwise. */
  toValue: (sent: unknown) => T | null;
};

/**
 * A cookie that carries something secret. JavaScript cannot read it, and it goes to no other site.
 * On https its name makes the browser refuse one set for another path, by another host or without encryption.
 */
export function createCredentialCookie<T>({ name, maxAge, publicUrl, toValue }: CookieOptions<T>) {
  const secure = publicUrl?.startsWith("https:") ?? false;
  const cookie = createCookie(secure ? `__Host-${name}` : name, { httpOnly: true, sameSite: "lax", path: "/", secure });
  return {
    /** What a request comes with; null without it, or with something that is not ours. */
    read: async (request: Request): Promise<T | null> => toValue(await cookie.parse(request.headers.get("Cookie"))),
    /** The `Set-Cookie` value that keeps it. */
    commit: (value: T): Promise<string> => cookie.serialize(value, { maxAge }),
    /** Whether a `Set-Cookie` value is one that keeps it. */
    isCommit: (line: string): boolean => line.startsWith(`${cookie.name}=`) && !/; Max-Age=0(?:;|$)/.test(line),
    /** The `Set-Cookie` value that removes it. */
    destroy: (): Promise<string> => cookie.serialize("", { maxAge: 0 }),
  };
}
