import * as z from "zod";
import { expect, test } from "vitest";
import { endpoints } from "../../tests/support/api/endpoints.ts";

/* Every input of a call is bounded: no number overflows, and no list or text can be as long as its sender likes. */

const sent = endpoints.flatMap(({ method, path, body, query, headers }) =>
  Object.entries({ body, query, headers }).flatMap(([part, schema]) =>
    schema ? [{ where: `${method} ${path} ${part}`, schema }] : [],
  ),
);

/** Returns what the API document says about an input. */
const toDescribed = (schema: z.ZodType) => z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });

/** Longer than the longest text that any call accepts: an administrator's file. */
const ENDLESS = "x".repeat(300_000);

type Node = Record<string, unknown>;

/** Lists every schema within one, with the path to it. */
function listSchemas(node: unknown, where: string): { where: string; node: Node }[] {
  if (typeof node !== "object" || node === null) return [];
  const within = Object.entries(node).flatMap(([name, child]) => listSchemas(child, `${where}.${name}`));
  return [{ where, node: node as Node }, ...within];
}

const hasEnd = ({ enum: values, exclusiveMaximum, exclusiveMinimum, maxItems, maximum, minimum, type }: Node) =>
  type === "array"
    ? maxItems !== undefined
    : values !== undefined ||
      ((maximum ?? exclusiveMaximum) !== undefined && (minimum ?? exclusiveMinimum) !== undefined);

test("every number in a request has a minimum and a maximum, and every list a maximum length", () => {
  const schemas = sent.flatMap(({ where, schema }) => listSchemas(toDescribed(schema), where));
  const counted = schemas.filter(({ node }) =>
    [node.type].flat().some((type) => /^(?:number|integer|array)$/.test(String(type))),
  );
  expect(counted.length).toBeGreaterThan(10);
  expect(counted.filter(({ node }) => !hasEnd(node)).map(({ where }) => where)).toEqual([]);
});

test("no field accepts a text of any length", () => {
  const fields = sent.flatMap(({ where, schema }) =>
    schema instanceof z.ZodObject
      ? Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, field]) => ({
          where: `${where} ${name}`,
          field,
        }))
      : [],
  );
  expect(fields.length).toBeGreaterThan(100);
  const endless = fields.filter(({ field }) => [ENDLESS, [ENDLESS]].some((value) => field.safeParse(value).success));
  expect(endless.map(({ where }) => where)).toEqual([]);
});

test("the API document gives every text a maximum length, a pattern or its possible values", () => {
  const texts = sent
    .flatMap(({ where, schema }) => listSchemas(toDescribed(schema), where))
    .filter(({ node }) => [node.type].flat().includes("string"));
  expect(texts.length).toBeGreaterThan(100);
  const limits = ["const", "enum", "maxLength", "pattern"];
  const endless = texts.filter(({ node }) => limits.every((limit) => node[limit] === undefined));
  expect(endless.map(({ where }) => where)).toEqual([]);
});

test("the API document describes fields that depend on each other", () => {
  const dependent = sent.filter(({ schema }) => schema instanceof z.ZodObject && schema.def.checks?.length);
  expect(dependent.length).toBeGreaterThan(2);
  const silent = dependent.filter(
    ({ schema }) => !JSON.stringify(toDescribed(schema).properties).includes(`"description":`),
  );
  expect(silent.map(({ where }) => where)).toEqual([]);
});

test("the API document describes every free text in a query or a header", () => {
  const parameters = endpoints.flatMap(({ headers, method, path, query }) =>
    [headers, query].flatMap((schema) =>
      Object.entries(schema ? (toDescribed(schema).properties ?? {}) : {}).map(([name, described]) => ({
        where: `${method} ${path} ${name}`,
        described: JSON.stringify(described),
      })),
    ),
  );
  const free = parameters.filter(({ described }) => /"type":"string"/.test(described) && !/"enum":/.test(described));
  expect(free.length).toBeGreaterThan(20);
  expect(free.filter(({ described }) => !described.includes(`"description":`)).map(({ where }) => where)).toEqual([]);
});
