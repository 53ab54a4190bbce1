import { createTransport, type SendMailOptions } from "nodemailer";
import type { RenderedEmail } from "./email.ts";
import { HEADERS, MailRefused, type MailTransport } from "./transport.ts";

/**
 * How long one attempt may take, in milliseconds, including the wait for a connection. Less than the lease of a mail
 * job.
 */
const TIMEOUT_MS = 100_000;

/** How long the server may stay silent, in milliseconds. */
const TIMEOUTS = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

type SmtpTransport = MailTransport & { verify(): Promise<void> };

type SmtpOptions = { smtpUrl: string; mailFrom: string; timeout?: number };

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Creates a transport that sends mail through the server at `smtpUrl`: smtps:// for TLS from the start, smtp:// for
 * STARTTLS. Requires TLS unless the server is on this machine or the address says `?requireTLS=false`.
 */
export function createSmtpTransport({ smtpUrl, mailFrom, timeout = TIMEOUT_MS }: SmtpOptions): SmtpTransport {
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
      // A server that sends something now and then is never idle, so this limit closes its connection.
      const signal = AbortSignal.timeout(timeout);
      try {
        await transport.sendMail({ ...toMessage(mail, mailFrom), signal });
      } catch (error) {
        const refused = classifyRefusal(error);
        if (refused === "mail") throw new MailRefused("The mail was refused for good", { cause: error });
        if (refused === "sender") throw new Error("The mail server refused MAIL_FROM", { cause: error });
        if (refused === "us") throw new Error("The mail server refused to send for us", { cause: error });
        if (signal.aborted) throw new Error("The mail server took too long", { cause: error });
        throw error;
      }
    },
    /** Connects, encrypts and signs in, but sends nothing. Throws if any of these fails. */
    verify: async () => void (await transport.verify()),
    close: () => transport.close(),
  };
}

/** Converts a mail for the library. Addresses are objects, because the library would split strings at commas. */
export function toMessage(mail: RenderedEmail, mailFrom: string): SendMailOptions {
  const { id, to, subject, text, html, writtenAt: date, unsubscribe, oneClick } = mail;
  const from = parseSender(mailFrom);
  const host = /@([\w.-]+)/.exec(from.address)?.[1] ?? "localhost";
  const headers = { ...HEADERS, ...(unsubscribe && listHeaders(unsubscribe, oneClick)) };
  return { from, to: { name: "", address: to }, subject, text, html, headers, date, messageId: `<${id}@${host}>` };
}

/** Takes a sender like `Nodebeat <hello@nodebeat.example>` apart. Its name may be in quotation marks. */
function parseSender(sender: string) {
  const [, name = "", address = sender] = /^(.*)<(.+)>$/.exec(sender) ?? [];
  return { name: name.trim().replace(/^"(.*)"$/, "$1"), address };
}

/** Returns the headers for unsubscribing: RFC 2369, and RFC 8058 if no page is needed. */
const listHeaders = (link: string, oneClick = false) => ({
  "List-Unsubscribe": `<${link}>`,
  ...(oneClick && { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }),
});

/**
 * Matches codes of refusals of the sender, of what they may send, or of how much (RFC 3463). Some servers, such as
 * Postfix, send these only after the recipient.
 */
const IS_ABOUT_US = /^5(?:03|30)\b|^5\d\d[ -]5\.(?:1\.[78]|4\.[56]|7\.\d+)\b/;

/**
 * Other servers, such as Microsoft's, send these only after the message. Filters also use 5.7.1 to refuse a message for
 * its content.
 */
const IS_ABOUT_SENDER = /^5(?:03|30)\b|^5\d\d[ -]5\.(?:1\.[78]|4\.[56]|7\.(?![01]\b)\d+)\b/;

/** Matches words of such refusals. Exim, qmail and Amazon's SES send no code for them, or none that says it. */
const SAYS_ABOUT_US = /\bsender\b|\brelay|\brcpthosts\b|\bauthenticat|\bnot verified\b|\bpaused\b/i;

/**
 * Finds out what a 5xx refuses. Our sign-in at the server or our sender can be fixed; a recipient or a message cannot.
 */
function classifyRefusal(error: unknown): "mail" | "sender" | "us" | undefined {
  if (!(error instanceof Error && "code" in error && "responseCode" in error)) return undefined;
  const { code, responseCode } = error;
  const isAboutMail = code === "EENVELOPE" || code === "EMESSAGE";
  if (!isAboutMail || typeof responseCode !== "number" || responseCode < 500) return undefined;
  const command = "command" in error && error.command;
  if (command === "MAIL FROM") return "sender";
  const response = "response" in error && typeof error.response === "string" ? error.response : "";
  const codes = command === "RCPT TO" ? IS_ABOUT_US : IS_ABOUT_SENDER;
  // Addresses do not count: members choose theirs.
  const words = response.replaceAll(/\S+@\S+/g, "");
  return codes.test(response) || SAYS_ABOUT_US.test(words) ? "us" : "mail";
}
