import type { Env } from "../env.ts";
import { configuredStation } from "./open-chain.ts";
import { ChainProblem, checkStation } from "./rpc/boot-check.ts";
import { openStation, TIMING } from "./rpc/station.ts";

/** Checks the configured chain. Describes a problem in a sentence without keys and addresses of nodes. */
export async function checkConfiguredChain(env: Env): Promise<{ isConfigured: boolean; problem?: string }> {
  const settings = configuredStation(env);
  if (!settings) return { isConfigured: false };
  try {
    await checkStation(openStation(settings, { ...TIMING, memberRetries: 0, requestRetries: 0 }));
    return { isConfigured: true };
  } catch (error) {
    if (!(error instanceof ChainProblem)) throw error;
    return { isConfigured: true, problem: error.message };
  }
}
