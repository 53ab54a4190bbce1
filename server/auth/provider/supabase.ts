import type { Deps } from "../../deps.ts";
import type { AuthProvider } from "./auth-provider.ts";
import type { Supabase } from "./supabase-client.ts";
import * as reset from "./supabase-reset.ts";
import * as sessions from "./supabase-sessions.ts";
import * as signIn from "./supabase-sign-in.ts";
import * as signUp from "./supabase-sign-up.ts";

/**
 * Creates the provider for Supabase Auth, which keeps the passwords and mails the codes and links
 * (docs/decisions/0008).
 */
export function createSupabaseProvider(given: Deps, supabase: Supabase): AuthProvider {
  const deps = { ...given, supabase };
  return {
    login: (input, client) => signIn.login(deps, input, client),
    signUp: (input, client) => signUp.signUp(deps, input, client),
    verify: (input, client) => signUp.verify(deps, input, client),
    resendVerification: (input, client) => signUp.resendVerification(deps, input, client),
    forgotPassword: (input, client) => reset.forgotPassword(deps, input, client),
    resendPasswordReset: (input, client) => reset.resendPasswordReset(deps, input, client),
    openRecovery: (input, client) => reset.openRecovery(deps, input, client),
    resetPassword: (input, client) => reset.resetPassword(deps, input, client),
    changePassword: (input, asked) => signIn.changePassword(deps, input, asked),
    provePassword: (userId, password) => signIn.provePassword(deps, userId, password),
    refresh: (session) => sessions.refresh(deps, session),
    release: (within) => sessions.release(deps, within),
  };
}
