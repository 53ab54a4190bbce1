import type { PointsRules } from "../../server/points/contract.ts";
import { rulesQuery } from "./reads.ts";
import { useRead } from "../cache/query-provider.tsx";
import { useQuery } from "../cache/use-query.ts";
import { usePersistEntry, useStoredEntry } from "../session/stored-entries.ts";

type NamedRules = Pick<PointsRules, "heartbeatsRequired" | "referralPoints">;

/** For backends that do not provide the rules (product specification, section 9). */
const SPECIFIED: NamedRules = { heartbeatsRequired: 100, referralPoints: 1000 };

/**
 * Returns the numbers that pages mention, from the rules in force. If those are not available, returns the last known
 * ones.
 */
export function useRules(): NamedRules {
  const { data } = useQuery(rulesQuery(useRead()));
  const stored = useStoredEntry("configuration");
  if (data !== undefined) return data ?? SPECIFIED;
  return {
    heartbeatsRequired: toFigure(stored.heartbeatsRequired) ?? SPECIFIED.heartbeatsRequired,
    referralPoints: toFigure(stored.referralPoints) ?? SPECIFIED.referralPoints,
  };
}

const toFigure = (value: unknown) => (typeof value === "number" ? value : undefined);

/** Keeps the rules in force for when they are not available. */
export const usePersistRules = (): void => usePersistEntry("configuration", useQuery(rulesQuery(useRead())).data);
