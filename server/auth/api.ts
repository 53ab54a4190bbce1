import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import { limitKeyOf } from "../http/client.ts";
import { LIMITS } from "../rate-limits/rules.ts";
import { changePassword } from "./change-password.ts";
import * as contract from "./contract.ts";
import { forgotPassword, openRecovery, resendPasswordReset, resetPassword } from "./password-reset.ts";
import { login } from "./service.ts";
import { resendVerification, signUp, verify } from "./sign-up.ts";

export const accountApi = (deps: Deps): Route[] => [
  route(contract.login, ({ body, client }) => login(deps, body, client)),
  route(contract.signUp, ({ body, client }) => signUp(deps, body, client)),
  route(contract.verify, ({ body, client }) => verify(deps, body, client)),
  route(contract.resendVerification, ({ body }) => resendVerification(deps, body)),
  route(contract.forgotPassword, ({ body, client }) => forgotPassword(deps, body, client)),
  route(contract.resendPasswordReset, ({ body }) => resendPasswordReset(deps, body)),
  route(contract.openRecovery, ({ body, client }) => openRecovery(deps, body, client)),
  route(contract.resetPassword, ({ body, client }) => resetPassword(deps, body, client)),
  route(contract.changePassword, ({ body, ...asked }) => changePassword(deps, body, asked)),
  route(contract.checkUser, async ({ client }) => {
    await deps.limits.take(LIMITS.checkUserByClient, limitKeyOf(client.address));
    // The address is checked for its form and not looked up, so that no answer can tell anything about it.
    return { success: true as const };
  }),
  route(contract.issueBotCheck, async () => deps.botCheck.issue()),
];
