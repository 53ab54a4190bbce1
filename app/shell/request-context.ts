import { createContext } from "react-router";

type RequestFacts = {
  /** The nonce of the answer's content security policy. */
  nonce: string;
  /** The id that the request's log lines carry. */
  requestId: string;
  /** Logs what went wrong while a page was made; without it the console does. */
  reportError?: (error: unknown) => void;
};

/** What the server knows of a request before any loader runs. The server sets it on every page request. */
export const requestContext = createContext<RequestFacts>();
