import { createContext } from "react-router";

type RequestFacts = {
  /** The nonce of the answer's content security policy. */
  nonce: string;
  /** The id that the request's log lines carry. */
  requestId: string;
  /**
   * The values that no other answer has and no client chooses, the nonce among them. A loader adds what it makes up for
   * one answer alone, so that a page which differs in nothing else need not be rendered again. Absent where every page
   * has to be, as in development, where code changes while data stays.
   */
  oneTime?: string[];
  /** What members are told while something is down, in a line. */
  notice?: string | undefined;
  /** What a loader has the document's head say of its link to chats and networks, as HTML. */
  head?: string;
  /**
   * Takes a document that is there as a whole: its answer has no body then. As a body it would be copied, made a stream
   * and read again. Without it the answer has it.
   */
  takeWhole?: (document: Uint8Array<ArrayBuffer>) => void;
  /** Told of the pattern that the address matches: pages are counted by it. */
  onRoute?: (pattern: string) => void;
  /** Logs what went wrong while a page was made; without it the console does. */
  reportError?: (error: unknown) => void;
};

/** What the server knows of a request before any loader runs. The server sets it on every page request. */
export const requestContext = createContext<RequestFacts>();
