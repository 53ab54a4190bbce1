import type { Deps } from "../../deps.ts";
import type { AuthProvider } from "./auth-provider.ts";
import { createEmbeddedProvider } from "./embedded.ts";
import { createSupabaseProvider } from "./supabase.ts";

/** Opens the provider that is configured. */
export const openAuthProvider = (deps: Deps): AuthProvider =>
  deps.supabase ? createSupabaseProvider(deps, deps.supabase) : createEmbeddedProvider(deps);
