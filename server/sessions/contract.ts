import * as z from "zod";
import { endpoint, GenericResult } from "../http/contract.ts";

/** A session ends after thirty days, however much it is used. */
export const SESSION_LIFETIME_SECONDS = 30 * 24 * 60 * 60;
/** A session also ends after fourteen days without use. */
export const SESSION_IDLE_SECONDS = 14 * 24 * 60 * 60;

/** How many of the running sessions are listed. A program that signs in again and again has thousands. */
export const MAX_SESSIONS = 100;

export const Session = z
  .object({
    id: z.string(),
    /** The browser and system that started the session, such as `Firefox on Windows`. */
    device: z.string(),
    /** The network where the session was started, such as `203.0.113.0/24`. Null if unknown. */
    network: z.string().nullable(),
    createdAt: z.iso.datetime(),
    /** Accurate to five minutes. */
    lastSeenAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
    /** Whether it is the session that makes the call. */
    current: z.boolean(),
  })
  .meta({ id: "Session" });
export type Session = z.infer<typeof Session>;

export const Sessions = z.object({ sessions: z.array(Session) }).meta({ id: "Sessions" });
export type Sessions = z.infer<typeof Sessions>;

export const readSessions = endpoint("GET /api/auth/sessions", {
  summary: "Where the member is signed in, the latest used first, 100 at most",
  response: Sessions,
});

export const revokeSession = endpoint("DELETE /api/auth/sessions/{id}", {
  summary: "Sign out on one device",
  params: z.object({ id: z.uuid() }),
  response: GenericResult,
  fails: ["NOT_FOUND"],
});

export const revokeOtherSessions = endpoint("POST /api/auth/sessions/revoke-others", {
  summary: "Sign out everywhere else",
  response: GenericResult,
});

export const logout = endpoint("POST /api/auth/logout", {
  summary: "End the session of the bearer token",
  response: GenericResult,
});
