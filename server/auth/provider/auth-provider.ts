import type * as z from "zod";
import type { Client } from "../../http/client.ts";
import type { Endpoint } from "../../http/contract.ts";
import type { Requester } from "../../http/endpoint.ts";
import type { RefreshSession } from "../../sessions/service.ts";
import type * as contract from "../contract.ts";

/** What answers an endpoint, for a caller as far as `From` tells. */
type Answers<E extends Endpoint, From = Client> = (
  input: z.output<NonNullable<E["body"]>>,
  from: From,
) => Promise<z.input<E["response"]>>;

/**
 * Who knows the members' passwords, and proves whose an address is. What its operations take, answer and throw is the
 * same for all (contract.ts), and so is what is ours whoever does it: equal answers for known and unknown addresses,
 * limits, the ladder of resends, sessions and the record of what happened.
 *
 * Its five events are what its operations do. Whoever called one passes its event on to the tabs: SIGNED_IN after
 * `login` and `verify`, PASSWORD_RECOVERY after `openRecovery`, USER_UPDATED after a new password, SIGNED_OUT when a
 * session ends; TOKEN_REFRESHED, which nobody asked for, comes with the answer (AUTH_EVENT_HEADER).
 */
export type AuthProvider = {
  login: Answers<typeof contract.login>;
  signUp: Answers<typeof contract.signUp>;
  verify: Answers<typeof contract.verify>;
  resendVerification: Answers<typeof contract.resendVerification>;
  forgotPassword: Answers<typeof contract.forgotPassword>;
  resendPasswordReset: Answers<typeof contract.resendPasswordReset>;
  openRecovery: Answers<typeof contract.openRecovery>;
  resetPassword: Answers<typeof contract.resetPassword>;
  changePassword: Answers<typeof contract.changePassword, Requester>;
  /** Whether it is the member's password. Throws UNAVAILABLE when that cannot be told now. */
  provePassword(userId: string, password: string): Promise<boolean>;
  /** Renews what stands behind a session of ours when its time has come. */
  refresh: RefreshSession;
  /**
   * Ends at the provider what was ended here: all that is left, or what ended within so many milliseconds. Best effort,
   * and never an error.
   */
  release(within?: number): Promise<void>;
};
