import { SAMPLE_USER } from "../tests/support/samples/samples.ts";
import { createSampleResponses, type GivenResponse } from "../tests/support/samples/sample-responses.ts";
import { createTestPages, createVisitor } from "../tests/support/pages/test-pages.ts";

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

const isLeaf = (value: Json) => value === null || typeof value !== "object";
const isRecord = (value: Json): value is { [name: string]: Json } => !Array.isArray(value) && !isLeaf(value);

/** Changes a value and everything in it, the inner values first. `depth` is 0 for the value itself. */
function change(value: Json, by: (value: Json, depth: number) => Json, depth = 0): Json {
  const within = (each: Json) => change(each, by, depth + 1);
  if (Array.isArray(value)) return by(value.map(within), depth);
  if (!isRecord(value)) return by(value, depth);
  return by(Object.fromEntries(Object.entries(value).map(([name, each]) => [name, within(each)])), depth);
}

/** The shapes that a backend may answer in, instead of its contract's. */
const SHAPES = {
  "{}": (): Json => ({}),
  /** Or null in place of the whole answer, if it has no array. */
  "null for an array": (answer: Json) => {
    const broken = change(answer, (value) => (Array.isArray(value) ? null : value));
    return JSON.stringify(broken) === JSON.stringify(answer) ? null : broken;
  },
  /** Removes the first plain field of the answer itself, and all plain fields of whatever is in it. */
  "missing fields": (answer: Json) =>
    change(answer, (value, depth) => {
      if (!isRecord(value)) return value;
      const fields = Object.entries(value);
      const [first] = fields.find(([, each]) => isLeaf(each)) ?? [];
      return Object.fromEntries(fields.filter(([name, each]) => (depth === 0 ? name !== first : !isLeaf(each))));
    }),
  "wrong types": (answer: Json) =>
    change(answer, (value) => {
      if (typeof value === "string") return { text: value };
      return value === null ? [] : isLeaf(value) ? "many" : value;
    }),
  "an extra field": (answer: Json) =>
    change(answer, (value) => (isRecord(value) ? { ...value, surprise: [{}] } : value)),
};

export type Shape = keyof typeof SHAPES;

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the record above, all of them
export const SHAPE_NAMES = Object.keys(SHAPES) as Shape[];

/** Returns the answer of a sample in one of those shapes. */
export function breakResponse(shape: Shape, response: unknown): Json {
  const answer: Json = JSON.parse(JSON.stringify(response));
  return SHAPES[shape](answer);
}

/** Opens the pages in front of a backend that answers with samples, or with what is given in their place. */
export async function visitSamples(given: readonly GivenResponse[] = []) {
  const { respond } = createSampleResponses(given);
  const pages = createTestPages("embedded", {
    fetchWithin({ method, url }) {
      const { status, body } = respond({ method, path: new URL(url).pathname });
      return Response.json(body, { status });
    },
  });
  const visitor = createVisitor(pages);
  await visitor.begin({ accessToken: "token-1", userId: SAMPLE_USER.id });
  const countParsedErrors = () => pages.log.error.mock.calls.filter(([, message]) => message === "Parsed error").length;
  return { pages, visitor, countParsedErrors };
}
