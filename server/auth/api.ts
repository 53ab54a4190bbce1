import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import * as contract from "./contract.ts";
import { forgotPassword, openRecovery, resendPasswordReset, resetPassword } from "./password-reset.ts";
import { login, logout } from "./service.ts";
import { resendVerification, signUp, verify } from "./sign-up.ts";

export const accountApi = (deps: Deps): Route[] => [
  route(contract.login, ({ body }) => login(deps, body)),
  route(contract.logout, ({ caller }) => logout(deps, caller)),
  route(contract.signUp, ({ body }) => signUp(deps, body)),
  route(contract.verify, ({ body }) => verify(deps, body)),
  route(contract.resendVerification, ({ body }) => resendVerification(deps, body)),
  route(contract.forgotPassword, ({ body }) => forgotPassword(deps, body)),
  route(contract.resendPasswordReset, ({ body }) => resendPasswordReset(deps, body)),
  route(contract.openRecovery, ({ body }) => openRecovery(deps, body)),
  route(contract.resetPassword, ({ body }) => resetPassword(deps, body)),
  // The address is checked for its form and not looked up, so that no answer can tell anything about it.
  route(contract.checkUser, async () => ({ success: true as const })),
  route(contract.issueBotCheck, async () => ({ turnstileToken: await deps.botCheck.issue() })),
];
