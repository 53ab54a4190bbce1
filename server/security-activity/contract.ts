import * as z from "zod";
import { endpoint, Pagination, queryInteger } from "../http/contract.ts";

/** What can happen to an account. */
export const SecurityEventKind = z.enum([
  "account-created",
  "signed-in",
  "signed-in-on-new-device",
  "sign-in-failed",
  "signed-out",
  "password-changed",
  "password-reset-requested",
  "password-reset",
  "session-revoked",
  "other-sessions-revoked",
  "campaign-email-verified",
  "device-key-made",
  "device-key-revoked",
  "data-exported",
  "deletion-requested",
  "deletion-cancelled",
  "wallet-linked",
  "wallet-changed",
  /** By an administrator. */
  "address-changed",
  /** By the member, here. */
  "email-changed",
  /** At the service that keeps the passwords, by anybody who may do so there. We learn of it afterwards. */
  "email-changed-elsewhere",
]);
export type SecurityEventKind = z.infer<typeof SecurityEventKind>;

export const SecurityEvent = z
  .object({
    id: z.string(),
    kind: SecurityEventKind,
    /** The browser and system, such as `Firefox on Windows`. */
    device: z.string(),
    /** The network it came from, such as `203.0.113.0/24`. Null if unknown. */
    network: z.string().nullable(),
    occurredAt: z.iso.datetime(),
  })
  .meta({ id: "SecurityEvent" });
export type SecurityEvent = z.infer<typeof SecurityEvent>;

export const SecurityActivity = z
  .object({ events: z.array(SecurityEvent), pagination: Pagination })
  .meta({ id: "SecurityActivity" });
export type SecurityActivity = z.infer<typeof SecurityActivity>;

export const SecurityActivityQuery = z.object({
  page: queryInteger({ min: 1, max: 1_000_000, default: 1 }),
  limit: queryInteger({ min: 1, max: 50, default: 10 }),
});
export type SecurityActivityQuery = z.infer<typeof SecurityActivityQuery>;

export const readSecurityActivity = endpoint("GET /api/auth/security-activity", {
  summary: "What happened to the member's account, newest first; kept for at least a year",
  query: SecurityActivityQuery,
  response: SecurityActivity,
});
