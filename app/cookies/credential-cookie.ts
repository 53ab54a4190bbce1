import { createCookie } from "react-router";
import { createTypedCookie, ValidationError } from "remix-utils/typed-cookie";
import type * as z from "zod";

type CookieOptions<Shape> = {
  /** Such as `nodebeat_session`. On https, the name has the prefix `__Host-`. */
  name: string;
  /** In seconds. */
  maxAge: number;
  /** The public address. It decides whether the cookie is only for https. */
  publicUrl: string | undefined;
  /** The shape of its value. */
  schema: Shape;
};

/**
 * Creates a cookie for something secret. JavaScript cannot read it, and browsers send it to no other site.
 * On https, its name makes the browser refuse a cookie set for another path, by another host or without encryption.
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
    /** Reads its value from a request. Returns null if there is none, or if we did not write it. */
    async read(request: Request) {
      try {
        return await typed.parse(request.headers.get("Cookie"));
      } catch (error) {
        if (error instanceof ValidationError) return null;
        throw error;
      }
    },
    /** Returns the `Set-Cookie` value that keeps it. */
    commit: (value: z.input<Shape>): Promise<string> => typed.serialize(value, { maxAge }),
    /** Returns whether a `Set-Cookie` value is one that keeps it. */
    isCommit: (line: string): boolean => line.startsWith(`${cookie.name}=`) && !/; Max-Age=0(?:;|$)/.test(line),
    /** Returns the `Set-Cookie` value that removes it. */
    destroy: (): Promise<string> => cookie.serialize("", { maxAge: 0 }),
  };
}
