import type { Deps } from "../../deps.ts";
import { changePassword, provePassword } from "../password/change-password.ts";
import { forgotPassword, openRecovery, resendPasswordReset, resetPassword } from "../reset/password-reset.ts";
import { login } from "../service.ts";
import { resendVerification, signUp, verify } from "../sign-up/sign-up.ts";
import type { AuthProvider } from "./auth-provider.ts";

/** Creates the built-in provider, with our own passwords and emails. */
export const createEmbeddedProvider = (deps: Deps): AuthProvider => ({
  login: (input, client) => login(deps, input, client),
  signUp: (input, client) => signUp(deps, input, client),
  verify: (input, client) => verify(deps, input, client),
  resendVerification: (input, client) => resendVerification(deps, input, client),
  forgotPassword: (input, client) => forgotPassword(deps, input, client),
  resendPasswordReset: (input, client) => resendPasswordReset(deps, input, client),
  openRecovery: (input, client) => openRecovery(deps, input, client),
  resetPassword: (input, client) => resetPassword(deps, input, client),
  changePassword: (input, asked) => changePassword(deps, input, asked),
  provePassword: (userId, password) => provePassword(deps, userId, password),
  // This provider keeps no sessions behind ours. A session of ours that another provider backed ends with that
  // provider.
  refresh: async () => "ended",
  release: async () => {},
});
