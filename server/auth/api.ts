import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import { limitKeyOf } from "../http/client.ts";
import { AppError } from "../errors.ts";
import { LIMITS } from "../rate-limits/rules.ts";
import * as contract from "./contract.ts";
import type { AuthProvider } from "./provider/auth-provider.ts";

export const accountApi = (deps: Deps, provider: AuthProvider): Route[] => [
  route(contract.login, ({ body, client }) => countFailures(deps, provider.login(body, client))),
  route(contract.signUp, ({ body, client }) => provider.signUp(body, client)),
  route(contract.verify, ({ body, client }) => provider.verify(body, client)),
  route(contract.resendVerification, ({ body, client }) => provider.resendVerification(body, client)),
  route(contract.forgotPassword, ({ body, client }) => provider.forgotPassword(body, client)),
  route(contract.resendPasswordReset, ({ body, client }) => provider.resendPasswordReset(body, client)),
  route(contract.openRecovery, ({ body, client }) => provider.openRecovery(body, client)),
  route(contract.resetPassword, ({ body, client }) => provider.resetPassword(body, client)),
  route(contract.changePassword, ({ body, ...asked }) => provider.changePassword(body, asked)),
  route(contract.checkUser, async ({ client }) => {
    await deps.limits.take(LIMITS.checkUserByClient, limitKeyOf(client.address));
    // The schema has checked the form of the address. It is not looked up, so the response cannot reveal anything about
    // it.
    return { success: true as const };
  }),
  route(contract.issueBotCheck, async () => deps.botCheck.issue()),
];

/** Counts a refused sign-in by its reason, not by member. */
async function countFailures<Result>({ metrics }: Pick<Deps, "metrics">, signIn: Promise<Result>): Promise<Result> {
  try {
    return await signIn;
  } catch (error) {
    if (error instanceof AppError) metrics.countSignInFailure(error.code);
    throw error;
  }
}
