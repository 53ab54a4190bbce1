import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

type Answer = { method: string; path: string; status: number; headers: Headers; body: unknown };
type Described = { paths: Record<string, Record<string, { responses: Record<string, DescribedResponse> }>> };
type DescribedResponse = { headers?: Record<string, unknown>; content?: Record<string, unknown> };

const checks = new Map<string, (answer: Answer) => void>();

/** Returns a function that throws if a response does not match the OpenAPI document. */
export function createDocumentCheck(json: string) {
  const known = checks.get(json);
  if (known) return known;
  const check = compileChecks(JSON.parse(json));
  checks.set(json, check);
  return check;
}

function compileChecks(document: Described) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema(document, "api");
  const compiled = new Map<string, ValidateFunction>();

  return ({ method, path, status, headers, body }: Answer) => {
    const call = `${method} ${path}`;
    const verb = method.toLowerCase();
    const operation = document.paths[path]?.[verb];
    if (!operation && status !== 404 && status !== 405) fail(`${call} answered ${status} but is not documented`);

    const described = operation?.responses[status];
    const mediaType = headers.get("Content-Type")?.split(";")[0] ?? "application/json";
    const pointer = operation
      ? ["paths", path, verb, "responses", String(status), "content", mediaType, "schema"]
      : ["components", "schemas", "Error"];
    if (operation && !described?.content?.[mediaType]) fail(`${call} answered ${status}, which is not documented`);
    for (const name of Object.keys(described?.headers ?? {})) {
      if (!headers.has(name)) fail(`${call} answered ${status} without the documented header ${name}`);
    }

    const ref = `api#/${pointer.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")}`;
    const validate = compiled.get(ref) ?? ajv.compile({ $ref: ref });
    compiled.set(ref, validate);
    if (!validate(body))
      fail(
        `${call} answered ${status} with a body that is not as documented: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(body)}`,
      );
  };
}

function fail(problem: string): never {
  throw new Error(problem);
}
