import type { SubmissionResult } from "@conform-to/react";
import type { HeadersFunction } from "react-router";
import type { ApiError, ErrorFields } from "../api/api-error.ts";
import { nextMinute } from "./next-minute.ts";

/** What a page tells of a failed call. */
export type FormFailure = {
  /** The page's own status. */
  status: number;
  formErrors?: string[];
  fieldErrors?: ErrorFields;
  /** When to try again after too many attempts, as ISO 8601, where the server says so. */
  retryAt?: string;
  headers: Record<string, string>;
};

type Wording = {
  /** What is said while the server cannot be asked. */
  unavailable: string;
  /** The field that a refused credential is told beside. */
  credential?: string;
};

/** Which field or form a failed call is told beside, when to try again, and the status of the page that tells it. */
export function explainFailure(error: ApiError, { unavailable, credential }: Wording): FormFailure {
  const { code, fields, fromServer, message, retryAfter, status } = error;
  const headers: Record<string, string> = retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) };
  const when = {
    headers,
    ...(status === 429 && retryAfter && { retryAt: nextMinute(Date.now() + retryAfter * 1000) }),
  };
  if (code === "NETWORK_ERROR" || code === "INVALID_API_KEY" || status >= 500)
    return { ...when, status: 503, formErrors: [unavailable] };
  if (status === 401 && credential) return { ...when, status, fieldErrors: { [credential]: [message] } };
  if (fields) return { ...when, status, fieldErrors: fields };
  return { ...when, status, formErrors: [fromServer ? message : unavailable] };
}

/** The reply of a form without fields that keep anything. */
export const toResult = ({ formErrors, fieldErrors }: FormFailure): SubmissionResult => ({
  status: "error",
  error: { ...fieldErrors, ...(formErrors && { "": formErrors }) },
});

/** The `headers` of a route whose action tells when to try again. */
export const keepRetryAfter: HeadersFunction = ({ actionHeaders }) => {
  const retryAfter = actionHeaders.get("Retry-After");
  return new Headers(retryAfter === null ? {} : { "Retry-After": retryAfter });
};
