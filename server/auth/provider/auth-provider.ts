import type { Client } from "../../http/client.ts";
import type { Caller } from "../../http/endpoint.ts";
import type { RefreshSession } from "../../sessions/service.ts";
import type {
  ChangePasswordInput,
  ForgotPasswordInput,
  ForgotPasswordResult,
  LoginInput,
  LoginResult,
  RecoveryResult,
  ResendResult,
  ResetPasswordInput,
  SignUpInput,
  SignUpResult,
  TokenInput,
  VerifyInput,
  VerifyResult,
} from "../contract.ts";

type Asked = { caller: Caller; client: Client };
type Done = { success: boolean; message: string };

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
  login(input: LoginInput, client: Client): Promise<LoginResult>;
  signUp(input: SignUpInput, client: Client): Promise<SignUpResult>;
  verify(input: VerifyInput, client: Client): Promise<VerifyResult>;
  resendVerification(input: TokenInput, client: Client): Promise<ResendResult>;
  forgotPassword(input: ForgotPasswordInput, client: Client): Promise<ForgotPasswordResult>;
  resendPasswordReset(input: TokenInput, client: Client): Promise<ResendResult>;
  openRecovery(input: TokenInput, client: Client): Promise<RecoveryResult>;
  resetPassword(input: ResetPasswordInput, client: Client): Promise<Done>;
  changePassword(input: ChangePasswordInput, asked: Asked): Promise<Done>;
  /** Whether it is the member's password. Throws UNAVAILABLE when that cannot be told now. */
  provePassword(userId: string, password: string): Promise<boolean>;
  /** Renews what stands behind a session of ours when its time has come. */
  refresh: RefreshSession;
  /** Ends at the provider what was ended here. Best effort, and never an error. */
  release(): Promise<void>;
};
