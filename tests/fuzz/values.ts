import * as fc from "fast-check";

/** The parts of a JSON schema (OpenAPI 3.1) that say which values are valid. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  format?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
};

type Resolve = (schema: Schema) => Schema;

/** Texts that have broken parsers, databases and pages before. */
const HOSTILE_TEXTS = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\uD800",
  "\u202Eevil",
  "\u{1F469}\u200D\u{1F469}\u200D\u{1F467}",
  "e\u0301".repeat(500),
  "a".repeat(5000),
  "%",
  "%00",
  "%ff",
  "%2e%2e%2f",
  "../../../../etc/passwd",
  "//evil.test",
  "https://evil.test/",
  "javascript:alert(1)",
  "</script><script>alert(1)</script>",
  "'; drop table users; --",
  "' or '1'='1",
  "${7*7}",
  "=HYPERLINK(1)",
  "__proto__",
  "constructor",
  "null",
  "NaN",
  "-1",
  "0x10",
  "1e309",
  "9007199254740993",
  "2026-02-30",
  "0000-01-01",
  "0000-00-00T00:00:00Z",
  "0000-01-01T00:00:00Z",
  "9999-12-31T23:59:59-01:00",
  "+275760-09-13T00:00:00.001Z",
  "-000001-01-01T00:00:00.000Z",
  "2026-11-22T25:61:61+99:99",
  "00000000-0000-0000-0000-000000000000",
  "a@b",
  '"a b"@nodebeat.test',
  `${"a".repeat(250)}@nodebeat.test`,
  "line\r\nSet-Cookie: a=b",
  "\uD800",
];

const hostileText = fc.oneof(fc.constantFrom(...HOSTILE_TEXTS), fc.string({ unit: "binary", maxLength: 40 }));

const hostileValue = fc.oneof(
  hostileText,
  fc.constantFrom(null, true, false, 0, -0, -1, 0.1, 2 ** 31, 2 ** 53, 1e308, -1e308, [], {}),
  fc.constantFrom<unknown>(
    nest(60),
    Array.from({ length: 300 }, () => null),
  ),
  fc.constant(JSON.parse('{"__proto__":{"isAdmin":true},"constructor":{"prototype":1},"toString":1}')),
  fc.jsonValue({ maxDepth: 3 }),
);

function nest(depth: number): unknown {
  return depth === 0 ? 1 : [nest(depth - 1)];
}

/** Returns texts of a form or an address: valid for a field, or not. */
export const textLike = (known: string): fc.Arbitrary<string> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(known) }, { weight: 1, arbitrary: hostileText });

/** Returns values of a schema that are mostly valid: values that are invalid everywhere fail the first validation. */
export function valueOf(schema: Schema, resolve: Resolve, depth = 0): fc.Arbitrary<unknown> {
  const right = rightValueOf(resolve(schema), resolve, depth);
  return fc.oneof({ weight: 7, arbitrary: right }, { weight: 1, arbitrary: hostileValue });
}

function rightValueOf(schema: Schema, resolve: Resolve, depth: number): fc.Arbitrary<unknown> {
  const { type, const: constant, enum: names, anyOf, oneOf, allOf } = schema;
  const alternatives = anyOf ?? oneOf;
  if (depth > 6) return fc.constant(null);
  if (constant !== undefined) return fc.constant(constant);
  if (names) return fc.constantFrom(...names);
  if (alternatives) return fc.oneof(...alternatives.map((each) => valueOf(each, resolve, depth + 1)));
  if (allOf) {
    return fc
      .tuple(...allOf.map((each) => rightValueOf(resolve(each), resolve, depth + 1)))
      .map((parts) => Object.assign({}, ...parts.filter((part) => typeof part === "object")));
  }
  if (Array.isArray(type))
    return fc.oneof(...type.map((each) => rightValueOf({ ...schema, type: each }, resolve, depth)));
  switch (type) {
    case "object":
      return objectOf(schema.properties ?? {}, resolve, depth);
    case "array":
      return fc.array(valueOf(schema.items ?? {}, resolve, depth + 1), { maxLength: 4 });
    case "string":
      return textOf(schema);
    case "integer":
    case "number":
      return numberOf(schema);
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      return hostileValue;
  }
}

/** Returns objects. Some lack a property, or have an unknown one. */
function objectOf(properties: Record<string, Schema>, resolve: Resolve, depth: number): fc.Arbitrary<unknown> {
  const known = Object.fromEntries(
    Object.entries(properties).map(([name, each]) => [name, valueOf(each, resolve, depth + 1)]),
  );
  const whole = fc.record(known);
  return fc.oneof(
    { weight: 6, arbitrary: whole },
    { weight: 1, arbitrary: fc.record(known, { requiredKeys: [] }) },
    {
      weight: 1,
      arbitrary: fc.tuple(whole, hostileText, hostileValue).map(([rest, name, value]) => add(rest, name, value)),
    },
  );
}

const add = (rest: object, name: string, value: unknown) =>
  Object.fromEntries([...Object.entries(rest), [name, value]]) as unknown;

function textOf({ format, maxLength = 40 }: Schema): fc.Arbitrary<string> {
  switch (format) {
    case "email":
      return fc.constantFrom("ada@nodebeat.test", "ADA@NODEBEAT.TEST", "nobody@nodebeat.test");
    case "uuid":
      return fc.uuid();
    case "uri":
      return fc.webUrl({ withQueryParameters: true });
    case "date":
      return fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10));
    case "date-time":
      return fc
        .date({ min: new Date("1970-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
        .map((date) => date.toISOString());
    default:
      return fc.oneof(fc.string({ maxLength: Math.min(maxLength, 60) }), hostileText);
  }
}

function numberOf({ minimum = -10, maximum = 1000, type }: Schema): fc.Arbitrary<number> {
  const [min, max] = [Math.max(minimum, -1e9), Math.min(maximum, 1e9)];
  return type === "integer"
    ? fc.integer({ min: Math.ceil(min), max: Math.floor(max) })
    : fc.double({ min, max, noNaN: true });
}
