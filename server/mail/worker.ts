import type { Env } from "../env.ts";
import { deliverDue, type Delivery, type DeliveryDeps } from "./deliver.ts";
import { createFileTransport } from "./files.ts";
import { createSmtpTransport } from "./smtp.ts";

/** Milliseconds between looks at the queue, for retries and for what other processes have queued. */
const LOOK_EVERY = 5000;

type StartDelivery = DeliveryDeps & { env: Env };
/** `url`: where the product is reached when there is no PUBLIC_URL. */
type Options = { url: string };

/**
 * Delivers mail for as long as the process runs: by SMTP where it is configured, else into files. Returns its end,
 * which waits for what is being sent. With a remote auth backend there is nothing to deliver: it has its own mail.
 */
export function startDelivery(deps: StartDelivery, { url }: Options): () => Promise<void> {
  const { authApiUrl, dataDir, mailFrom, publicUrl, smtpUrl } = deps.env;
  if (authApiUrl) return async () => {};
  const transport =
    smtpUrl && mailFrom
      ? createSmtpTransport({ smtpUrl, mailFrom })
      : createFileTransport({ dataDir, mailFrom, log: deps.log });
  const stopping = new AbortController();
  const ended = deliverUntil(stopping.signal, deps, { transport, origin: publicUrl ?? url });

  return async () => {
    stopping.abort();
    await ended;
    transport.close();
  };
}

async function deliverUntil(signal: AbortSignal, deps: DeliveryDeps, delivery: Delivery): Promise<void> {
  while (!signal.aborted) {
    const taken = await deliverDue(deps, delivery).catch((error: unknown) => {
      deps.log.warn({ err: error }, "the mail queue could not be read");
      return 0;
    });
    if (taken === 0) await deps.outbox.waitForPost(LOOK_EVERY, signal);
  }
}
