import type { Deps } from "../deps.ts";
import type { Env } from "../env.ts";
import type { PartId } from "../status/contract.ts";
import { createSampler, CHECK_INTERVAL_MS } from "../status/sampler.ts";

/** Lists the parts that a process can judge: mail if it is sent from here, the API and heartbeats if it serves. */
function listSeen({ authApiUrl, role }: Pick<Env, "authApiUrl" | "role">): PartId[] {
  const answering: PartId[] = role === "worker" ? [] : ["api", "heartbeats"];
  const mailing: PartId[] = authApiUrl ? [] : ["mail"];
  return ["database", "chain", ...answering, ...mailing];
}

/** Checks the status while the process runs. Returns a function that stops this, and waits for a check under way. */
export function startStatusWatch(deps: Deps, figures: () => Promise<void>): () => Promise<void> {
  const sampler = createSampler(deps, { figures, parts: listSeen(deps.env), sendsMail: deps.env.role !== "web" });
  let current: Promise<void> | undefined;
  let isEnding = false;
  let isAsked = false;

  function tick() {
    isAsked ||= current !== undefined;
    current ??= sampler
      .tick()
      .catch((err: unknown) => deps.log.warn({ err }, "the status could not be looked at"))
      .finally(() => {
        current = undefined;
        if (isAsked && !isEnding) tick();
        isAsked = false;
      });
  }

  tick();
  const timer = setInterval(tick, CHECK_INTERVAL_MS).unref();
  deps.status.onRefresh(tick);
  return async () => {
    isEnding = true;
    clearInterval(timer);
    deps.status.onRefresh(() => {});
    await current;
    await sampler.end();
  };
}
