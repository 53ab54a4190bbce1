import { confirmPassword, readStanding } from "../../server/fresh-password/contract.ts";
import {
  addAdministrator,
  readAdministrators,
  removeAdministrator,
} from "../../server/administration/contract.ts";
import type { Caller, OptionalCaller } from "../api/call.ts";

type Named = { member: string; reason: string };

/** What administrators do. Everything but `standing` rejects with PASSWORD_REQUIRED once the password was given too long ago. */
export function createAdministrationClient(call: Caller, callIfOffered: OptionalCaller) {
  return {
    /** Null where the backend has no administration. Rejects with FORBIDDEN for who is no administrator. */
    standing: () => callIfOffered(readStanding, {}),
    /** Rejects with VALIDATION_ERROR, its field `password`, or TOO_MANY_ATTEMPTS. Never sent twice. */
    confirmPassword: (password: string) => call(confirmPassword, { body: { password } }),
    administrators: {
      list: () => call(readAdministrators, {}),
      add: (body: Named) => call(addAdministrator, { body }),
      /** Rejects with CONFLICT for the last one. */
      remove: (body: Named) => call(removeAdministrator, { body }),
    },
  };
}
