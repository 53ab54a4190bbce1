import * as z from "zod";
import { isVisible, VISIBLE } from "../http/visible-text.ts";

/*
 * Members' names and handles elsewhere. Each is optional. Members type them in many ways, such as with an @ or as the
 * address of a page; only one form is kept. The patterns are those of the services' own sign-up pages.
 */

/**
 * Input may be longer than what is kept. This limits the cost of normalizing, which grows with the square of a letter's
 * marks.
 */
const LONGEST = 2_500;

/** An optional text of limited length. Empty text, or only spaces, becomes null. */
const optional = (maxLength: number, schema: z.ZodType<string, string>) =>
  z
    .string()
    // For the API document, which describes only the input of a pipe.
    .meta({ maxLength })
    .transform((typed, { issues }): string | null => {
      const text = typed.trim().slice(0, LONGEST).normalize("NFC");
      if (text === "") return null;
      const result = schema.safeParse(text);
      if (result.success) return result.data;
      for (const { message } of result.error.issues) issues.push({ code: "custom", input: typed, message });
      return null;
    })
    .nullable()
    .default(null);

/** A handle, extracted from `@handle` or from the address of its page. */
const handle = (hosts: string, pattern: RegExp, message: string) =>
  optional(
    200,
    z
      .string()
      .max(200, message)
      .transform((text) =>
        text.replace(new RegExp(`^(https?://)?(www\\.)?(${hosts})/`, "i"), "").replace(/^@|[/?].*$/g, ""),
      )
      .pipe(z.string().regex(pattern, message)),
  );

export const TelegramHandle = handle(
  "t\\.me|telegram\\.me",
  /^[a-z]\w{4,31}$/i,
  "A Telegram name has 5 to 32 letters, digits and underscores, and begins with a letter.",
);

export const XHandle = handle(
  "x\\.com|twitter\\.com",
  /^\w{1,15}$/,
  "An X name has up to 15 letters, digits and underscores.",
);

export const DiscordUsername = handle(
  "discord\\.com/users",
  /^[\w.]{2,32}(#\d{4})?$/,
  "A Discord name has 2 to 32 letters, digits, underscores and dots.",
);

const TOO_LONG = "Use a shorter address, of at most 300 characters.";

/** A web address. Without a scheme, it becomes https. */
export const Website = optional(
  300,
  z
    .string()
    .max(300, TOO_LONG)
    .transform((text) => (/^[a-z][a-z\d+.-]*:/i.test(text) ? text : `https://${text}`))
    .refine(isWebAddress, "Enter the address of a website, such as https://example.org.")
    .transform((text) => new URL(text).href)
    // Longer than what was typed. What is kept must pass here again whenever the profile is saved.
    .pipe(z.string().max(300, TOO_LONG)),
);

/** A picture in IPFS. Pages show none from anywhere else: another server would learn who looks at it. */
export const AvatarUrl = optional(
  500,
  z
    .string()
    .max(500, "Use at most 500 characters.")
    .regex(/^(ipfs:\/\/|https:\/\/[^/?#]+\/ipfs\/)[\w./-]+$/, "Enter an ipfs link, such as ipfs://bafy…"),
);

export const FullName = optional(80, plainText(80));

/** A mark cannot come first, and at most three come in a row: more would be drawn over the line above. */
export const Username = optional(
  30,
  z
    .string()
    .regex(
      /^(?!\p{M}|.*\p{M}{4})[\p{L}\p{M}\p{N}_.-]{2,30}$/u,
      "Use 2 to 30 letters, digits, dots, dashes and underscores.",
    ),
);

function plainText(length: number) {
  return z.string().max(length, `Use at most ${length} characters.`).refine(isVisible, VISIBLE);
}

/** Whether this is an http or https address, with a dot in its host and without a user or password. */
function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password && url.hostname.includes(".");
}
