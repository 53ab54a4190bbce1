import { useEffect, useState } from "react";
import { isRouteErrorResponse, useRevalidator, useRouteLoaderData } from "react-router";
import { checkServer, readConnection, useConnection, type Connection } from "../cache/connection.ts";

const UNEXPECTED = "Something went wrong, please try again!";
const AGAIN = "Trying again often helps.";

/** An error as it is explained to the reader. */
export type Problem = {
  /** Undefined if no response caused it: the page itself broke, or the connection did. */
  status: number | undefined;
  title: string;
  text: string;
};

const TEXTS: Record<number, Pick<Problem, "title" | "text">> = {
  403: { title: "You do not have access to this page", text: "Sign in with an account that does, or go back." },
  404: { title: "This page does not exist", text: "The address may be mistyped, or the page may have moved." },
  503: {
    title: "We cannot reach your data right now",
    text: "Nothing is lost. Wait a moment and try again.",
  },
};

/** What to say if no server was asked or none has answered, by the state of the connection. */
const UNANSWERED: Record<Connection, Pick<Problem, "title" | "text">> = {
  online: { title: UNEXPECTED, text: AGAIN },
  offline: { title: "You are offline", text: "This page opens by itself once you are back." },
  unreachable: { title: "The server does not answer", text: "This page opens by itself once it does." },
};

/** Explains a thrown error, but not with its own message, which may be internal. */
export function describeProblem(error: unknown, requestId?: string, connection = readConnection()): Problem {
  const status = isRouteErrorResponse(error) ? error.status : requestId && 500;
  if (status) {
    // A refusal is not an error of ours, so it is not logged as one.
    const text = status < 500 ? AGAIN : "The error has been logged.";
    return { status, title: UNEXPECTED, text, ...TEXTS[status] };
  }
  return { status: undefined, ...UNANSWERED[connection] };
}

/**
 * Returns a problem as its reader sees it. If no server has answered, checks whether it can be reached, and loads the
 * page again once it can.
 */
export function useProblem(error: unknown, requestId: string | undefined): Problem {
  const connection = useConnection();
  const { revalidate } = useRevalidator();
  const problem = describeProblem(error, requestId, connection);
  const isUnanswered = problem.status === undefined;
  useEffect(() => {
    if (isUnanswered) checkServer();
  }, [isUnanswered]);
  const isCutOff = isUnanswered && connection !== "online";
  // Runs once the server can be reached again.
  useEffect(() => (isCutOff ? () => void revalidate() : undefined), [isCutOff, revalidate]);
  return problem;
}

/** Set once the document has hydrated. Errors from then on did not come with it. */
let alive = false;

/** Notes that the document has hydrated. */
export function markAlive(): void {
  alive = true;
}

/**
 * Returns the id of the request that an error comes from, to quote when asking for help. Undefined for what went wrong
 * in the browser: the id of its document would lead to the wrong lines of the log.
 */
export function useRequestId(error: unknown): string | undefined {
  const root = useRouteLoaderData<{ requestId: string }>("root");
  const [sent] = useState(() => (alive ? undefined : { error }));
  return readRequestId(error) ?? (sent?.error === error ? root?.requestId : undefined);
}

/** Returns the id that an error response carries (page/member-page.ts). */
function readRequestId(error: unknown): string | undefined {
  if (!isRouteErrorResponse(error)) return undefined;
  const data: unknown = error.data;
  if (typeof data !== "object" || data === null || !("requestId" in data)) return undefined;
  return typeof data.requestId === "string" ? data.requestId : undefined;
}
