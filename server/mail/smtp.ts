import { createTransport, type SendMailOptions } from "nodemailer";
import type { Mail } from "./letter.ts";
import { HEADERS, MailRefused, type MailTransport } from "./transport.ts";

/**
 * Milliseconds for all of an attempt, also for one that waits for a connection: below the time for which a mail is
 * taken out of the queue.
 */
const PATIENCE = 100_000;

/** Milliseconds without a word from the server. */
const TIMEOUTS = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

type SmtpTransport = MailTransport & { verify(): Promise<void> };

type SmtpOptions = { smtpUrl: string; mailFrom: string; patience?: number };

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Mail by way of the server at `smtpUrl`: smtps:// for TLS from the start, smtp:// for TLS by STARTTLS, which is
 * demanded from any other machine unless the address says `?requireTLS=false`.
 */
export function createSmtpTransport({ smtpUrl, mailFrom, patience = PATIENCE }: SmtpOptions): SmtpTransport {
  const { hostname, protocol, searchParams } = new URL(smtpUrl);
  const requireTLS = protocol === "smtp:" && !LOOPBACK.has(hostname) && !searchParams.has("requireTLS");
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    ...TIMEOUTS,
    ...(requireTLS && { requireTLS }),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(mail) {
      // A server that says a word now and then is never idle: the limit closes its connection.
      const signal = AbortSignal.timeout(patience);
      try {
        await transport.sendMail({ ...toMessage(mail, mailFrom), signal });
      } catch (error) {
        const refused = findRefused(error);
        if (refused === "mail") throw new MailRefused("The mail was refused for good", { cause: error });
        if (refused === "sender") throw new Error("The mail server refused MAIL_FROM", { cause: error });
        if (refused === "us") throw new Error("The mail server refused to send for us", { cause: error });
        if (signal.aborted) throw new Error("The mail server took too long", { cause: error });
        throw error;
      }
    },
    /** Connects, encrypts and signs in, and sends nothing. Throws what stands in the way. */
    verify: async () => void (await transport.verify()),
    close: () => transport.close(),
  };
}

/** A mail in the library's words; the address as an object, since a string would be split at commas. */
export function toMessage(mail: Mail, from: string): SendMailOptions {
  const { id, to, subject, text, html, writtenAt: date, unsubscribe, oneClick } = mail;
  const host = /@([\w.-]+)/.exec(from)?.[1] ?? "localhost";
  const headers = { ...HEADERS, ...(unsubscribe && listHeaders(unsubscribe, oneClick)) };
  return { from, to: { name: "", address: to }, subject, text, html, headers, date, messageId: `<${id}@${host}>` };
}

/** RFC 2369, and RFC 8058 for a way out that takes no page. */
const listHeaders = (link: string, oneClick = false) => ({
  "List-Unsubscribe": `<${link}>`,
  ...(oneClick && { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }),
});

/** Of whoever sends, or of what they may (RFC 3463): some servers, as Postfix, say so once a receiver is named. */
const IS_ABOUT_US = /^5\d\d[ -]5\.(?:1\.[78]|7\.\d+)\b/;

/** Others, as Microsoft's, say so once they have the message. Filters refuse that with 5.7.1, too, for what is in it. */
const IS_ABOUT_SENDER = /^5\d\d[ -]5\.(?:1\.[78]|7\.(?![01]\b)\d+)\b|\bsender\b/i;

/** What a 5xx is about. Our own sign-in at the server, or our sender, can be mended, a receiver or a message cannot. */
function findRefused(error: unknown): "mail" | "sender" | "us" | undefined {
  if (!(error instanceof Error && "code" in error && "responseCode" in error)) return undefined;
  const { code, responseCode } = error;
  const isAboutMail = code === "EENVELOPE" || code === "EMESSAGE";
  if (!isAboutMail || typeof responseCode !== "number" || responseCode < 500) return undefined;
  const command = "command" in error && error.command;
  if (command === "MAIL FROM") return "sender";
  const words = "response" in error && typeof error.response === "string" ? error.response : "";
  return (command === "RCPT TO" ? IS_ABOUT_US : IS_ABOUT_SENDER).test(words) ? "us" : "mail";
}
