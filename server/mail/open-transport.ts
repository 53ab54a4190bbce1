import type { Deps } from "../deps.ts";
import { createFileTransport } from "./files.ts";
import { createSmtpTransport } from "./smtp.ts";
import type { MailTransport } from "./transport.ts";

/** Opens the configured transport: SMTP if it is configured, otherwise files. */
export function openTransport({ env, log }: Pick<Deps, "env" | "log">): MailTransport {
  const { dataDir, mailFrom, smtpUrl } = env;
  if (!smtpUrl || !mailFrom) return createFileTransport({ dataDir, mailFrom, log });
  return createSmtpTransport({ smtpUrl, mailFrom });
}
