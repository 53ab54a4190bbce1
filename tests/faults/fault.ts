import type { Defect } from "./defect.ts";

export type Options = {
  /** How often it strikes. */
  times: number;
  /** How long the load goes on, for what shows only then. */
  minutes: number;
  /** How long each lasts at most. */
  seconds?: number | undefined;
  defect?: Defect | undefined;
};

/** What a run has shown. */
export type Report = {
  /** What has to be true. */
  expect: (sentence: string, isTrue: boolean) => void;
  /** What was measured, in words. */
  tell: (sentence: string) => void;
};

export type Fault = {
  name: string;
  title: string;
  /** How often it strikes, unless somebody says otherwise. */
  times?: number;
  /** Why it cannot be tried on this machine. */
  findObstacle?: () => string | undefined;
  /** What the run has to find, and in which of its sentences it does. */
  planted: Defect;
  finds: RegExp;
  run: (report: Report, options: Options) => Promise<void>;
};
