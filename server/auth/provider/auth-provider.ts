import type * as z from "zod";
import type { Client } from "../../http/client.ts";
import type { Endpoint } from "../../http/contract.ts";
import type { Requester } from "../../http/endpoint.ts";
import type { RefreshSession } from "../../sessions/service.ts";
import type * as contract from "../contract.ts";

/** An operation that answers an endpoint. `From` is what it learns about the caller. */
type Answers<E extends Endpoint, From = Client> = (
  input: z.output<NonNullable<E["body"]>>,
  from: From,
) => Promise<z.input<E["response"]>>;

/**
 * The service that knows the members' passwords and proves whose an address is. All providers take, return and throw
 * the same (contract.ts). They also share what this server does itself: equal responses for known and unknown
 * addresses, limits, the resend ladder, sessions and security activity.
 *
 * The provider's five events follow from its operations, and the caller of an operation passes the event on to the
 * tabs: SIGNED_IN after `login` and `verify`, PASSWORD_RECOVERY after `openRecovery`, USER_UPDATED after a new
 * password, SIGNED_OUT when a session ends. TOKEN_REFRESHED follows no operation that anybody called, so it comes with
 * a response (AUTH_EVENT_HEADER).
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
  /** Whether this is the member's password. Throws UNAVAILABLE if that cannot be determined now. */
  provePassword(userId: string, password: string): Promise<boolean>;
  /** Renews the provider's session behind one of ours when it is due. */
  refresh: RefreshSession;
  /**
   * Ends at the provider the sessions that have ended here: all that remain, or those that ended in the last `within`
   * milliseconds. Makes a best effort and never fails.
   */
  release(within?: number): Promise<void>;
};
