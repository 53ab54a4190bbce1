import type { SubmissionResult } from "@conform-to/dom";

/** The machine key that was just created. */
export type CreatedKey = {
  deviceId: string;
  deviceKey: string;
  /** The member's name for the machine. */
  name: string;
  /** Where the machine sends its heartbeats, such as `https://nodebeat.example`. */
  address: string;
};

/** Why the form for a key was refused. */
export type KeyRefusal = { result: SubmissionResult; retryAt?: string };
