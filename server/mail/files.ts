import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import type { Mail } from "./letter.ts";
import { DEMO_SENDER } from "./look.ts";
import { toMessage } from "./smtp.ts";
import type { MailTransport } from "./transport.ts";

type FileOptions = {
  dataDir: string;
  mailFrom?: string;
  /** Tells whoever started the server; the log would leave out what this is about. */
  print: (text: string) => void;
};

/** Mail of a demo: one `.eml` file each under the data folder, for its owner only, and the link printed. */
export function createFileTransport({ dataDir, mailFrom = DEMO_SENDER, print }: FileOptions): MailTransport {
  const folder = join(dataDir, "mail");
  const composer = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  return {
    async send(mail) {
      const { message } = await composer.sendMail(toMessage(mail, mailFrom));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, `${mail.id}.eml`);
      // Under another name until it is whole: a mail program may be watching the folder.
      await writeFile(`${path}.part`, message, { mode: 0o600, flush: true });
      await rename(`${path}.part`, path);
      print(describe(mail, path));
    },
    close: () => composer.close(),
  };
}

function describe({ to, subject, code, link }: Mail, path: string) {
  const lines = [`Mail to ${to}: ${subject}`, code && `  code  ${code}`, link && `  link  ${link}`, `  file  ${path}`];
  return `\n${lines.flatMap((line) => (line ? `  ${line}\n` : [])).join("")}\n`;
}
