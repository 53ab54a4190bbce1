import type * as z from "zod";
import { confirmPassword, readStanding } from "../../server/fresh-password/contract.ts";
import {
  addAdministrator,
  readAdministrators,
  readAudit,
  removeAdministrator,
} from "../../server/administration/contract.ts";
import {
  blockMember,
  changeAddress,
  endSessions,
  findMembers,
  readEntries,
  readMember,
  unblockMember,
} from "../../server/member-administration/contract.ts";
import { readOverview } from "../../server/network/contract.ts";
import { openIncident, readIncidents, resolveIncident, updateIncident } from "../../server/status/contract.ts";
import { setWhitelisted } from "../../server/whitelist/contract.ts";
import type { Caller, OptionalCaller } from "../api/call.ts";
import { createAdministrationWork, type Because } from "./administration-work.ts";

type AuditFilter = Partial<Record<"about" | "by" | "action" | "after", string>>;
type Named = { member: string; reason: string };

/**
 * What administrators do. Everything but `standing` rejects with PASSWORD_REQUIRED once the password was given too long
 * ago.
 */
export function createAdministrationClient(call: Caller, callIfOffered: OptionalCaller) {
  return {
    ...createAdministrationWork(call),
    /** Null where the backend has no administration. Rejects with FORBIDDEN for who is no administrator. */
    standing: () => callIfOffered(readStanding, {}),
    /** Rejects with VALIDATION_ERROR, its field `password`, or TOO_MANY_ATTEMPTS. Never sent twice. */
    confirmPassword: (password: string) => call(confirmPassword, { body: { password } }),
    overview: () => call(readOverview, {}),
    audit: (query: AuditFilter) => call(readAudit, { query }),
    members: {
      find: (query: { search?: string | undefined; after?: string | undefined }) => call(findMembers, { query }),
      read: (id: string) => call(readMember, { params: { id } }),
      entries: (id: string, query: { after?: string | undefined }) => call(readEntries, { params: { id }, query }),
      setWhitelisted: (body: { emails: string[]; whitelisted: boolean; reason: string }) =>
        call(setWhitelisted, { body }),
      block: (id: string, body: Because) => call(blockMember, { params: { id }, body }),
      unblock: (id: string, body: Because) => call(unblockMember, { params: { id }, body }),
      endSessions: (id: string, body: Because & { sessionId?: string | undefined }) =>
        call(endSessions, { params: { id }, body }),
      changeAddress: (id: string, body: Because & { email: string }) => call(changeAddress, { params: { id }, body }),
    },
    incidents: {
      list: () => call(readIncidents, {}),
      /** With the same key it is one incident, however often it is sent. */
      open: (body: z.input<typeof openIncident.body>) => call(openIncident, { body }),
      update: (id: string, body: z.input<typeof updateIncident.body>) => call(updateIncident, { params: { id }, body }),
      /** Rejects with CONFLICT for one that is over. */
      resolve: (id: string, body: Because & { text: string }) => call(resolveIncident, { params: { id }, body }),
    },
    administrators: {
      list: () => call(readAdministrators, {}),
      add: (body: Named) => call(addAdministrator, { body }),
      /** Rejects with CONFLICT for the last one. */
      remove: (body: Named) => call(removeAdministrator, { body }),
    },
  };
}
