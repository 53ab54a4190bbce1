import { watch } from "node:fs";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { RenderedEmail } from "../../../server/mail/email.ts";
import { deliverDue, type DeliveryDeps } from "./jobs.ts";

/**
 * Creates everybody's mailbox for tests of the API. The real delivery puts emails here when the mailbox is read, and
 * nowhere else.
 */
export function createMailbox(deps: DeliveryDeps) {
  const mails: RenderedEmail[] = [];
  const transport = { send: async (mail: RenderedEmail) => void mails.push(mail) };

  async function deliver() {
    while ((await deliverDue(deps, { transport, origin: "http://nodebeat.test" })) > 0);
  }

  /** Returns the latest email to an address. */
  async function read(to: string): Promise<RenderedEmail> {
    await deliver();
    const mail = mails.findLast((each) => each.to === to);
    if (!mail) throw new Error(`There is no mail to ${to}, only to: ${mails.map((each) => each.to).join(", ")}`);
    return mail;
  }

  return { mails, deliver, read };
}

/** Returns the token in the link of an email. */
export function tokenOf({ link = "" }: Pick<RenderedEmail, "link">): string {
  const { searchParams } = new URL(link);
  return searchParams.get("code") ?? searchParams.get("token") ?? "";
}

export type ReceivedMail = { to: string; subject: string; text: string; code?: string; link?: string };

/** Returns the latest email to an address from a demo's files, as soon as there are `count` of them. */
export async function waitForMail(folder: string, to: string, count = 1): Promise<ReceivedMail> {
  await mkdir(folder, { recursive: true });
  const changes = watch(folder);
  const changed = () => new Promise((resolve) => changes.once("change", resolve));
  try {
    for (;;) {
      const change = changed();
      const mails = (await readMails(folder)).filter((mail) => mail.to === to);
      const latest = mails.at(-1);
      if (latest && mails.length >= count) return latest;
      await change;
    }
  } finally {
    changes.close();
  }
}

/** Reads a demo's files in the order they were queued, which is the order of their names. */
async function readMails(folder: string): Promise<ReceivedMail[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".eml")).sort();
  return Promise.all(names.map(async (name) => parseMail(await readFile(join(folder, name), "utf8"))));
}

/** Parses the text version of a raw message. */
export function parseMail(message: string): ReceivedMail {
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(message)?.[1]?.trim() ?? "";
  const [, encoded = ""] = /Content-Type: text\/plain[^]*?\r?\n\r?\n([^]*?)\r?\n--/.exec(message) ?? [];
  const text = decodeQuotedPrintable(encoded);
  const code = /^ {4}(\d{6})$/m.exec(text)?.[1];
  const link = /^https?:\/\/\S+$/m.exec(text)?.[0];
  return {
    to: header("To").replaceAll(/[<>]/g, ""),
    subject: header("Subject"),
    text,
    ...(code && { code }),
    ...(link && { link }),
  };
}

const decodeQuotedPrintable = (text: string) =>
  text
    .replaceAll("\r\n", "\n")
    .replaceAll("=\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
