import { createTransport, type SendMailOptions } from "nodemailer";
import type { Mail } from "./letter.ts";
import { HEADERS, MailRefused, type MailTransport } from "./transport.ts";

/** Milliseconds. Together well below the time for which a mail is taken out of the queue. */
const TIMEOUTS = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

export type SmtpTransport = MailTransport & { verify(): Promise<void> };

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Mail by way of the server at `smtpUrl`: smtps:// for TLS from the start, smtp:// for TLS by STARTTLS, which is
 * demanded from any other machine unless the address says `?requireTLS=false`.
 */
export function createSmtpTransport({ smtpUrl, mailFrom }: { smtpUrl: string; mailFrom: string }): SmtpTransport {
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
      try {
        await transport.sendMail(toMessage(mail, mailFrom));
      } catch (error) {
        throw isRefusal(error) ? new MailRefused("The mail was refused for good", { cause: error }) : error;
      }
    },
    /** Connects, encrypts and signs in, and sends nothing. Throws what stands in the way. */
    verify: async () => void (await transport.verify()),
    close: () => transport.close(),
  };
}

/** A mail in the library's words; the address as an object, since a string would be split at commas. */
export function toMessage({ id, to, subject, text, html, unsubscribe, oneClick }: Mail, from: string): SendMailOptions {
  const host = /@([\w.-]+)/.exec(from)?.[1] ?? "localhost";
  const headers = { ...HEADERS, ...(unsubscribe && listHeaders(unsubscribe, oneClick)) };
  return { from, to: { name: "", address: to }, subject, text, html, headers, messageId: `<${id}@${host}>` };
}

/** RFC 2369, and RFC 8058 for a way out that takes no page. */
const listHeaders = (link: string, oneClick = false) => ({
  "List-Unsubscribe": `<${link}>`,
  ...(oneClick && { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }),
});

/** A 5xx about the receiver or the message. One about our own sign-in at the server can be mended. */
function isRefusal(error: unknown) {
  if (!(error instanceof Error && "code" in error && "responseCode" in error)) return false;
  const { code, responseCode } = error;
  const isAboutMail = code === "EENVELOPE" || code === "EMESSAGE";
  return isAboutMail && typeof responseCode === "number" && responseCode >= 500;
}
