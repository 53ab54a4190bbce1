const SECRET_NAME =
  /authorization|cookie|passw|secret|token|api.?key|private.?key|^key$|credential|signature|verification.?code|^jwt$|^(session|bearer)$/i;

/** Objects nested deeper than this are replaced by a mark, because logs are not the place for whole graphs. */
const MAX_DEPTH = 6;

/**
 * Replaces the values of fields whose name says that they are secret, at any depth. Leaves errors to their serializer.
 */
export function redactValues(fields: Record<string, unknown>): Record<string, unknown> {
  return redactObject(fields, 0);
}

function redactObject(fields: object, depth: number): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    kept[name] = SECRET_NAME.test(name) ? "[redacted]" : redact(value, depth + 1);
  }
  return kept;
}

function redact(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Error || value instanceof Date) return value;
  if (depth > MAX_DEPTH) return "[nested]";
  if (value instanceof Headers || value instanceof Map) return redactObject(Object.fromEntries(value), depth);
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  return redactObject(value, depth);
}

/** Secrets that may appear inside texts: messages and stacks quote queries, addresses and headers. */
const PATTERNS: [RegExp, string][] = [
  // Bounded lengths (from RFC 5321) keep a long run of letters from taking quadratic time.
  [/[\w.!#$%&'*+/=?^`{|}~-]{1,64}(?:@|%40)[\w.-]{1,190}\.[a-z]{2,24}/gi, "[email]"],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, "$1 [redacted]"],
  // Our tokens and keys can be recognised anywhere, for example behind the %3D of a damaged link.
  [/nb[a-z]_[\w-]{43,}|whsec_[\w+/=]{32,}/g, "[redacted]"],
  // Drizzle quotes the parameters of a failed query up to the end of the message. The stack follows.
  [/(params: )(?:(?!\\n {4}at )(?:\\.|[^"\\]))*/g, "$1[redacted]"],
  [/([?&][\w.[\]-]+=)[^&\s"\\]+/g, "$1[redacted]"],
  [/(?<=:\/\/)[^\s/@"]{1,256}@/g, "[redacted]@"],
];

/** Most lines contain none of these. Testing for that is cheaper than running every replacement. */
const SUSPECT = /[@?&]|%40|nb[a-z]_|whsec_|params: |(?:bearer|basic)\s/i;

/** Redacts the finished line, as the last step. */
export function redactLine(line: string): string {
  if (!SUSPECT.test(line)) return line;
  let redacted = line;
  for (const [pattern, replacement] of PATTERNS) redacted = redacted.replace(pattern, replacement);
  return redacted;
}
