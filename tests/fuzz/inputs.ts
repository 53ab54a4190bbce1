import * as fc from "fast-check";
import { textLike, valueOf, type Schema } from "./values.ts";

/** A request that can be printed and sent again. */
export type Input = {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | null;
  /** Whose session or token it uses. */
  as: Caller;
};

export type Caller = "nobody" | "member" | "administrator" | "node" | "garbage";

type Parameter = { name: string; in: string; schema: Schema };
type Operation = {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, unknown> }>;
};
export type ApiDocument = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** A form of a page: where it is sent, and the values of its fields. */
export type Form = { method: string; action: string; fields: [name: string, value: string][] };

const caller: fc.Arbitrary<Caller> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Caller>("member") },
  { weight: 2, arbitrary: fc.constant<Caller>("administrator") },
  { weight: 1, arbitrary: fc.constantFrom<Caller>("nobody", "node", "garbage") },
);

/** Bodies that are not JSON, or not what they claim to be. */
const brokenBody = fc.oneof(
  fc.constantFrom(
    "",
    "{",
    "[]",
    "null",
    '"',
    '{"a":1e400}',
    "{'a':1}",
    "\uFEFF{}",
    `${'{"a":'.repeat(500)}1${"}".repeat(500)}`,
  ),
  fc.string({ unit: "binary", maxLength: 200 }),
);

const contentType = fc.oneof(
  { weight: 8, arbitrary: fc.constant("application/json") },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "text/plain",
      "application/json; charset=utf-16",
      "multipart/form-data",
      "application/x-www-form-urlencoded",
      "a/b; c",
    ),
  },
);

const header = (...values: string[]) => fc.oneof(fc.constantFrom(...values), textLike(""));

const OTHER_HEADERS: Record<string, fc.Arbitrary<string>> = {
  Accept: header("text/html", "*/*;q=0"),
  "Accept-Encoding": header("identity;q=0, *;q=0", "gzip;q=x"),
  "Content-Encoding": header("gzip", "identity"),
  "If-None-Match": header("*", 'W/"'),
  Range: header("bytes=0-0", "bytes=9-1"),
  Traceparent: header(`00-${"0".repeat(32)}-${"0".repeat(16)}-01`),
  "User-Agent": header("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"),
  "X-Device-Token": header("d".repeat(43)),
  "X-Request-Id": header("nobodys-request"),
};

/** Headers that clients may send in addition to those of a call. Most send none. */
const otherHeaders = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Texts>({}) },
  { weight: 1, arbitrary: fc.record(OTHER_HEADERS, { requiredKeys: [] }) },
);

/** Returns inputs for every call in the document, except event streams, which never end. */
export function apiInputs({ components, paths }: ApiDocument): fc.Arbitrary<Input>[] {
  const resolve = (schema: Schema): Schema => {
    const name = schema.$ref?.split("/").at(-1);
    return name ? resolve(components.schemas[name] ?? {}) : schema;
  };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { responses }]) => !responses[200]?.content?.["text/event-stream"])
      .map(([verb, operation]) => apiInput(path, verb.toUpperCase(), operation, resolve)),
  );
}

function apiInput(path: string, method: string, operation: Operation, resolve: (schema: Schema) => Schema) {
  const { parameters = [], requestBody } = operation;
  const schema = requestBody?.content["application/json"]?.schema;
  const json = schema && valueOf(schema, resolve).map((value) => JSON.stringify(value) ?? "");
  const body: fc.Arbitrary<string | null> =
    json === undefined
      ? fc.constant(null)
      : fc.oneof({ weight: 9, arbitrary: json }, { weight: 1, arbitrary: brokenBody });
  const valuesOf = (place: string): Record<string, fc.Arbitrary<string>> =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === place)
        .map((parameter) => [parameter.name, valueOf(parameter.schema, resolve).map(asText)]),
    );
  const some = { requiredKeys: [] };

  return fc
    .tuple(
      fc.record(valuesOf("path")),
      fc.record(valuesOf("query"), some),
      fc.record(valuesOf("header"), some),
      otherHeaders,
      body,
      contentType,
      caller,
      // Each parameter once, or all of them twice.
      fc.constantFrom(1, 1, 1, 1, 1, 2),
    )
    .map(([params, query, headers, others, text, type, as, times]): Input => {
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(params[name] ?? "x"));
      const search = Array<string>(times).fill(encodeQuery(query)).join("&");
      return {
        method,
        path: Object.keys(query).length > 0 ? `${filled}?${search}` : filled,
        headers: { ...asHeaders({ ...others, ...headers }), ...(text !== null && { "Content-Type": type }) },
        body: text,
        as,
      };
    });
}

type Texts = Partial<Record<string, string>>;

const listTexts = (texts: Texts) =>
  Object.entries(texts).filter((entry): entry is [string, string] => entry[1] !== undefined);

const asText = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

/** A lone surrogate cannot be part of an address. */
const encode = (text: string) => encodeURIComponent(text.toWellFormed());
const encodeQuery = (query: Texts) => new URLSearchParams(listTexts(query)).toString();

/** Returns the headers, limited to what a client can put into one. */
const asHeaders = (headers: Texts) =>
  Object.fromEntries(listTexts(headers).map(([name, value]) => [name, value.replaceAll(/[^\x20-\x7E]/g, "?").trim()]));

const field = ([name, value]: [string, string]) =>
  fc.tuple(textLike(name), textLike(value), fc.constantFrom(1, 1, 1, 1, 0, 2));

/** Returns what a form of a page sends, with some fields changed, omitted, or repeated, or with another encoding. */
export function formInput({ action, fields, method }: Form): fc.Arbitrary<Input> {
  const filled = fc
    .tuple(...fields.map(field))
    .map((all) =>
      all.flatMap(([name, value, times]) => Array.from({ length: times }, (): [string, string] => [name, value])),
    );
  return fc
    .tuple(filled, caller, fc.constantFrom("form", "form", "form", "multipart", "json"))
    .map(([pairs, as, kind]): Input => {
      const text = new URLSearchParams(pairs).toString();
      if (method === "GET") return { method, path: `${action.split("?")[0]}?${text}`, headers: {}, body: null, as };
      const [type, body] = encodeForm(kind, pairs, text);
      return { method, path: action, headers: { "Content-Type": type }, body, as };
    });
}

function encodeForm(kind: string, pairs: [string, string][], text: string): [type: string, body: string] {
  if (kind === "json") return ["application/json", JSON.stringify(Object.fromEntries(pairs))];
  if (kind === "form") return ["application/x-www-form-urlencoded", text];
  const parts = pairs.map(
    ([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return ["multipart/form-data; boundary=x", `${parts.join("")}--x--\r\n`];
}

/** Returns requests for a page, with what may follow its address. */
export const pageInput = (path: string, names: string[]): fc.Arbitrary<Input> =>
  fc
    .tuple(fc.array(fc.tuple(fc.constantFrom(...names), textLike("2")), { maxLength: 3 }), textLike(""), caller)
    .map(([query, behind, as]) => ({
      method: "GET",
      path: `${path}${behind && `/${encode(behind)}`}?${encodeQuery(Object.fromEntries(query))}`,
      headers: {},
      body: null,
      as,
    }));
