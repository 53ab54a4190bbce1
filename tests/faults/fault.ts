import type { Defect } from "./defect.ts";

export type Options = {
  /** How often the fault strikes. */
  times: number;
  /** How long the load continues, for faults that show only after a while. */
  minutes: number;
  /** How long each fault lasts at most. */
  seconds?: number | undefined;
  defect?: Defect | undefined;
};

/** Receives the results of a run. */
export type Report = {
  /** Records something that must be true. */
  expect: (sentence: string, isTrue: boolean) => void;
  /** Records what was measured, in words. */
  note: (sentence: string) => void;
};

export type Fault = {
  name: string;
  title: string;
  /** How often it strikes by default. */
  times?: number;
  /** Returns why it cannot be tried on this machine. */
  findObstacle?: () => string | undefined;
  /** The defect that the run must find, and a pattern for the sentence in which it shows. */
  planted: Defect;
  finds: RegExp;
  run: (report: Report, options: Options) => Promise<void>;
};
