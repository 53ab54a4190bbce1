import { mkdir, rename, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createTransport } from "nodemailer";
import type { Logger } from "../log/log.ts";
import { DEMO_SENDER } from "./style.ts";
import { toMessage } from "./smtp.ts";
import type { MailTransport } from "./transport.ts";

type FileOptions = { dataDir: string; mailFrom?: string; log: Logger };

/**
 * Creates the transport of a demo: one `.eml` file for each mail under the data folder, readable only by its owner.
 * Logs the subject and path, not the content.
 */
export function createFileTransport({ dataDir, mailFrom = DEMO_SENDER, log }: FileOptions): MailTransport {
  const folder = join(dataDir, "mail");
  const composer = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  return {
    async send(mail) {
      const { message } = await composer.sendMail(toMessage(mail, mailFrom));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, `${mail.id}.eml`);
      // Under another name until it is complete, because a mail program may be watching the folder.
      await writeFile(`${path}.part`, message, { mode: 0o600, flush: true });
      await rename(`${path}.part`, path);
      log.info({ subject: mail.subject, file: pathToFileURL(resolve(path)).href }, "mail written");
    },
    close: () => composer.close(),
  };
}
