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
import { createAdministrationWork, type WithReason } from "./administration-work.ts";

type AuditFilter = Partial<Record<"about" | "by" | "action" | "after", string>>;
type Named = { member: string; reason: string };

/**
 * Creates the calls of administrators. All but `standing` and `confirmPassword` reject with PASSWORD_REQUIRED if the
 * password was confirmed too long ago.
 */
export function createAdministrationClient(call: Caller, callIfOffered: OptionalCaller) {
  return {
    ...createAdministrationWork(call),
    /** Null if the backend has no administration. Rejects with FORBIDDEN if the member is not an administrator. */
    standing: () => callIfOffered(readStanding, {}),
    /** Rejects with VALIDATION_ERROR for the field `password`, or with TOO_MANY_ATTEMPTS. Never sent twice. */
    confirmPassword: (password: string) => call(confirmPassword, { body: { password } }),
    overview: () => call(readOverview, {}),
    audit: (query: AuditFilter) => call(readAudit, { query }),
    members: {
      find: (query: { search?: string | undefined; after?: string | undefined }) => call(findMembers, { query }),
      read: (id: string) => call(readMember, { params: { id } }),
      entries: (id: string, query: { after?: string | undefined }) => call(readEntries, { params: { id }, query }),
      setWhitelisted: (body: { emails: string[]; whitelisted: boolean; reason: string }) =>
        call(setWhitelisted, { body }),
      block: (id: string, body: WithReason) => call(blockMember, { params: { id }, body }),
      unblock: (id: string, body: WithReason) => call(unblockMember, { params: { id }, body }),
      endSessions: (id: string, body: WithReason & { sessionId?: string | undefined }) =>
        call(endSessions, { params: { id }, body }),
      changeAddress: (id: string, body: WithReason & { email: string }) =>
        call(changeAddress, { params: { id }, body }),
    },
    incidents: {
      list: () => call(readIncidents, {}),
      /** With the same key it stays one incident, however often it is sent. */
      open: (body: z.input<typeof openIncident.body>) => call(openIncident, { body }),
      update: (id: string, body: z.input<typeof updateIncident.body>) => call(updateIncident, { params: { id }, body }),
      /** Rejects with CONFLICT if the incident is over. */
      resolve: (id: string, body: WithReason & { text: string }) => call(resolveIncident, { params: { id }, body }),
    },
    administrators: {
      list: () => call(readAdministrators, {}),
      add: (body: Named) => call(addAdministrator, { body }),
      /** Rejects with CONFLICT for the last administrator. */
      remove: (body: Named) => call(removeAdministrator, { body }),
    },
  };
}
