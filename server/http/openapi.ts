import * as z from "zod";
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponsesObject } from "zod-openapi";
import { brand } from "../../brand.ts";
import { statusOf, type ErrorCode, type ErrorStatus } from "../errors.ts";
import { ErrorBody, type Endpoint } from "./contract.ts";
import { EVENT_STREAM } from "./event-stream.ts";

const API_VERSION = "1.0.0";

/** What each error status means, in the words of the document. */
const ERROR_DESCRIPTION: Record<number, string> = {
  400: "The input is not valid",
  401: "The credentials are missing or wrong, or have expired",
  403: "The caller may not do this, or a browser sent the request from another site",
  404: "What the call names was not found",
  405: "This address takes other methods: those in `Allow`",
  409: "It conflicts with what is already there",
  410: "It was already used, or has expired",
  413: "The body is too large",
  414: "The address is too long",
  415: "The body is not JSON in UTF-8, or it is compressed",
  422: "The bot check failed, a signature is wrong, or a requirement is not met",
  429: "Too many attempts; try again after the given seconds",
  500: "Something unexpected happened",
  503: "The service is busy; try again after the given seconds",
};

const WAIT = { "Retry-After": z.string().regex(/^\d+$/).meta({ description: "Seconds to wait" }) };

/** The headers of refusals with such a status. */
const HEADERS: Partial<Record<ErrorStatus, z.ZodRawShape>> = {
  401: { "WWW-Authenticate": z.literal("Bearer").meta({ description: "How a call says who makes it" }) },
  405: { Allow: z.string().meta({ description: "The methods that this address takes" }) },
  429: WAIT,
  503: WAIT,
};

/** Responses that any call may get from the layers around the API, whatever it asks for. */
const COMMON_RESPONSES = {
  405: describeStatus(405, ["METHOD_NOT_ALLOWED"]),
  408: { description: "The request took too long to arrive" },
  414: describeStatus(414, ["URI_TOO_LONG"]),
  417: { description: "The `Expect` header asks for something that is not supported" },
  431: { description: "The headers are too large" },
};

/** Creates the OpenAPI 3.1 document of the given endpoints. Everything in it is derived from their definitions. */
export function describeApi(endpoints: readonly Endpoint[]) {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const endpoint of endpoints) {
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = describeOperation(endpoint);
  }
  return createDocument({
    openapi: "3.1.0",
    info: {
      title: `${brand.name} API`,
      version: API_VERSION,
      description: "Points, referrals, rewards and machine identity of the members of a community-node network.",
    },
    servers: [{ url: "/" }],
    tags: [
      { name: "main", description: "Everything about a member's points, profile and machines" },
      { name: "auth", description: "Accounts, passwords, sessions, security activity and campaign emails" },
    ],
    paths,
    components: {
      schemas: { Error: ErrorBody },
      responses: Object.fromEntries(
        Object.entries(COMMON_RESPONSES).map(([status, answer]) => [`Status${status}`, answer]),
      ),
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "An access token from a sign-in" },
        deviceKey: { type: "http", scheme: "bearer", description: "The key of one of the member's machines" },
        apiKey: { type: "apiKey", in: "header", name: "x-api-key", description: "Where the auth part demands one" },
      },
    },
  });
}

function describeOperation(endpoint: Endpoint): ZodOpenApiOperationObject {
  return {
    operationId: nameOperation(endpoint),
    summary: endpoint.summary,
    tags: [endpoint.service],
    security: listCredentials(endpoint),
    ...((endpoint.params ?? endpoint.query ?? endpoint.headers) && {
      requestParams: {
        ...(endpoint.params && { path: endpoint.params }),
        ...(endpoint.query && { query: endpoint.query }),
        ...(endpoint.headers && { header: endpoint.headers }),
      },
    }),
    ...(endpoint.body && {
      requestBody: { required: true, content: { "application/json": { schema: endpoint.body } } },
    }),
    responses: {
      200: {
        description: endpoint.streams ? "Events, each with data as described" : "Done",
        content: { [mediaTypeOf(endpoint)]: { schema: endpoint.response } },
      },
      ...describeErrors(endpoint),
      ...REFERENCES,
    },
  };
}

const REFERENCES = Object.fromEntries(
  Object.keys(COMMON_RESPONSES).map((status) => [status, { $ref: `#/components/responses/Status${status}` }]),
);

const mediaTypeOf = ({ mediaType, streams }: Endpoint) => (streams ? EVENT_STREAM : (mediaType ?? "application/json"));

/**
 * Names an operation. `GET /api/users/points-log` → getUsersPointsLog; `POST /api/campaigns/{id}/claim` →
 * postCampaignsByIdClaim.
 */
function nameOperation({ method, path }: Endpoint): string {
  const words = path
    .replace(/^\/api\//, "/")
    .replaceAll(/\{(\w+)\}/g, "by-$1")
    .split(/[^A-Za-z0-9]+/);
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

const CREDENTIALS: Record<Endpoint["access"], Record<string, string[]>[]> = {
  anyone: [{}],
  member: [{ bearer: [] }],
  node: [{ bearer: [] }, { deviceKey: [] }],
  // OpenAPI 3.1 allows naming a required role like this.
  administrator: [{ bearer: ["administrator"] }],
};

/**
 * Lists the alternative credentials of an operation. In the auth part, the API key is optional, because it is only
 * required if one is configured.
 */
function listCredentials({ access, service }: Endpoint) {
  const callers = CREDENTIALS[access];
  return service === "main" ? callers : callers.flatMap((caller) => [{ ...caller, apiKey: [] }, caller]);
}

function describeErrors(endpoint: Endpoint): ZodOpenApiResponsesObject {
  const codes = Map.groupBy(listErrorCodes(endpoint), statusOf);
  return Object.fromEntries([...codes].map(([status, names]) => [String(status), describeStatus(status, names)]));
}

function describeStatus(status: ErrorStatus, codes: ErrorCode[]) {
  return {
    description: ERROR_DESCRIPTION[status] ?? "It did not work",
    ...(HEADERS[status] && { headers: z.object(HEADERS[status]) }),
    content: { "application/json": { schema: describeError(status, codes) } },
  };
}

/**
 * Lists every code that an endpoint can respond with: those that follow from its access and input, and those it
 * declares.
 */
function listErrorCodes(endpoint: Endpoint): Set<ErrorCode> {
  const { access, body, fails = [], headers, method, needsNoPassword, params, query, service } = endpoint;
  const codes = new Set<ErrorCode>([...fails, "BAD_REQUEST", "TOO_MANY_ATTEMPTS", "INTERNAL_ERROR", "UNAVAILABLE"]);
  if (method !== "GET") codes.add("FORBIDDEN").add("PAYLOAD_TOO_LARGE");
  if (access !== "anyone") codes.add("UNAUTHENTICATED");
  if (access === "node") codes.add("KEY_REVOKED");
  if (access === "administrator") codes.add("FORBIDDEN");
  if (access === "administrator" && !needsNoPassword) codes.add("PASSWORD_REQUIRED");
  if (service === "auth") codes.add("INVALID_API_KEY");
  if (params ?? query ?? headers ?? body) codes.add("VALIDATION_ERROR");
  if (body) codes.add("UNSUPPORTED_MEDIA_TYPE");
  return codes;
}

function describeError(status: ErrorStatus, codes: ErrorCode[]) {
  return {
    allOf: [
      { $ref: "#/components/schemas/Error" },
      { properties: { error: { enum: codes }, statusCode: { const: status } } },
    ],
  };
}
