import type { SubmissionResult } from "@conform-to/dom";

/** The key of a machine that has just been made. */
export type MadeKey = {
  deviceId: string;
  deviceKey: string;
  /** What the member calls the machine. */
  name: string;
  /** Where the machine sends its beats, such as `https://nodebeat.example`. */
  address: string;
};

/** Why the form for a key was refused. */
export type KeyRefusal = { result: SubmissionResult; retryAt?: string };
