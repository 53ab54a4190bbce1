import type { Endpoint } from "../../../server/http/contract.ts";
import { SAMPLES } from "./samples.ts";

const keyOf = ({ method, path }: Pick<Endpoint, "method" | "path">) => `${method} ${path}`;

/** Returns the sample for a call, such as `GET /api/user`; undefined if there is none. */
export const findSample = (call: string) =>
  SAMPLES.find(({ endpoint }) => new RegExp(`^${keyOf(endpoint).replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(call));

const FAILURE = { message: "Not now", error: "INTERNAL_ERROR", statusCode: 500 };

export type GivenResponse = readonly [Endpoint, unknown];

/** Creates a backend's answers: samples, or the given answers instead. */
export function createSampleResponses(given: readonly GivenResponse[] = []) {
  const answers = new Map(given.map(([endpoint, answer]) => [keyOf(endpoint), answer]));
  return {
    give: (endpoint: Endpoint, answer: unknown) => void answers.set(keyOf(endpoint), answer),
    /** Makes a call fail with an error. */
    fail: (endpoint: Endpoint) => void answers.set(keyOf(endpoint), FAILURE),
    /** Answers every call with its sample again. */
    mend: () => answers.clear(),
    respond: ({ method, path }: { method: string; path: string }): { status: number; body: unknown } => {
      const sample = findSample(`${method} ${path}`);
      if (!sample) return { status: 404, body: { message: "Not found", error: "NOT_FOUND", statusCode: 404 } };
      const key = keyOf(sample.endpoint);
      const body = answers.has(key) ? answers.get(key) : sample.response;
      return { status: body === FAILURE ? 500 : 200, body };
    },
  };
}
