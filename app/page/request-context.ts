import { createContext } from "react-router";

type RequestFacts = {
  /** The nonce of the response's content security policy. */
  nonce: string;
  /** The id that the request's log lines carry. */
  requestId: string;
  /**
   * The values that no other response has and no client chooses, the nonce among them. A loader adds what it generates
   * for one response alone, so that a page which differs in nothing else need not be rendered again. Absent if every
   * page must be rendered, as in development, where code changes while data stays.
   */
  oneTime?: string[];
  /** One line for members while something is down. */
  notice?: string | undefined;
  /** What a loader adds to the document's head for link previews in chats and networks, as HTML. */
  head?: string;
  /**
   * Takes a document that is complete. The response then has no body, because a body would be copied, made a stream and
   * read again. Without this, the response has the body.
   */
  takeWhole?: (document: Uint8Array<ArrayBuffer>) => void;
  /** Called with the pattern that the address matches. Pages are counted by it. */
  onRoute?: (pattern: string) => void;
  /** Logs an error that occurred while a page was made. Without this, the console does. */
  reportError?: (error: unknown) => void;
};

/** What the server knows about a request before any loader runs. The server sets it on every page request. */
export const requestContext = createContext<RequestFacts>();
