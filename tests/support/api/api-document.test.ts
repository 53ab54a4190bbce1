import * as z from "zod";
import { expect, test } from "vitest";
import { endpoint } from "../../../server/http/contract.ts";
import { describeApi } from "../../../server/http/openapi.ts";
import { createDocumentCheck } from "./api-document.ts";

const document = describeApi([
  endpoint("GET /api/beats/{id}", {
    service: "main",
    access: "member",
    summary: "One beat",
    params: z.object({ id: z.string() }),
    response: z.object({ beatAt: z.iso.datetime(), points: z.number() }),
    fails: ["NOT_FOUND"],
  }),
]);
const check = createDocumentCheck(JSON.stringify(document));

const beat = { beatAt: "2026-11-20T12:00:00.000Z", points: 25 };
const answer = (status: number, body: unknown, headers = new Headers()) => ({
  method: "GET",
  path: "/api/beats/{id}",
  status,
  headers,
  body,
});
const error = (statusCode: number, code: string) => ({ message: "No.", error: code, statusCode });

test.for([
  answer(200, beat),
  answer(404, error(404, "NOT_FOUND")),
  answer(503, error(503, "UNAVAILABLE"), new Headers({ "Retry-After": "5" })),
  { ...answer(405, error(405, "METHOD_NOT_ALLOWED")), method: "PUT" },
])("accepts what is documented: $method $status", (right) => {
  expect(() => check(right)).not.toThrow();
});

test.for([
  ["a status that is not documented", answer(409, error(409, "CONFLICT")), "answered 409, which is not documented"],
  ["a field of another type", answer(200, { ...beat, points: "25" }), "must be number"],
  ["an extra field", answer(200, { ...beat, secret: 1 }), "must NOT have additional properties"],
  ["a missing field", answer(200, { points: 25 }), "must have required property 'beatAt'"],
  ["an invalid date", answer(200, { ...beat, beatAt: "2026-02-30T12:00:00.000Z" }), "beatAt must match"],
  ["an error body of another shape", answer(404, { error: "NOT_FOUND" }), "must have required property 'message'"],
  ["a code that belongs to another status", answer(404, error(404, "CONFLICT")), "/error must be equal to one of"],
  ["another status in the body", answer(404, error(400, "NOT_FOUND")), "/statusCode must be equal to constant"],
  ["a documented header that is missing", answer(503, error(503, "UNAVAILABLE")), "without the documented header"],
  ["an endpoint that is not documented", { ...answer(200, beat), path: "/api/other" }, "is not documented"],
] as const)("fails on %s", ([, wrong, problem]) => {
  expect(() => check(wrong)).toThrow(problem);
});
