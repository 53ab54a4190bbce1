import { createCookie } from "react-router";
import { createTypedCookie, ValidationError } from "remix-utils/typed-cookie";
import type * as z from "zod";

type CookieOptions<Shape> = {
  /** Such as `nodebeat_session`; the name on https has the prefix `__Host-`. */
  name: string;
  /** In seconds. */
  maxAge: number;
  /** The public address; decides whether the cookie is for https alone. */
  publicUrl: string | undefined;
  /** What it holds. */
  schema: Shape;
};

/**
 * A cookie that carries something secret. JavaScript cannot read it, and it goes to no other site.
 * On https its name makes the browser refuse one set for another path, by another host or without encryption.
 */
export function createCredentialCookie<Shape extends z.ZodType>({
  name,
  maxAge,
  publicUrl,
  schema,
}: CookieOptions<Shape>) {
  const secure = publicUrl?.startsWith("https:") ?? false;
  const cookie = createCookie(secure ? `__Host-${name}` : name, { httpOnly: true, sameSite: "lax", path: "/", secure });
  const typed = createTypedCookie({ cookie, schema });
  return {
    /** What a request comes with; null without it, or with something that is not ours. */
    async read(request: Request) {
      try {
        return await typed.parse(request.headers.get("Cookie"));
      } catch (error) {
        if (error instanceof ValidationError) return null;
        throw error;
      }
    },
    /** The `Set-Cookie` value that keeps it. */
    commit: (value: z.input<Shape>): Promise<string> => typed.serialize(value, { maxAge }),
    /** Whether a `Set-Cookie` value is one that keeps it. */
    isCommit: (line: string): boolean => line.startsWith(`${cookie.name}=`) && !/; Max-Age=0(?:;|$)/.test(line),
    /** The `Set-Cookie` value that removes it. */
    destroy: (): Promise<string> => cookie.serialize("", { maxAge: 0 }),
  };
}
