import type { PointsRules } from "../../server/points/contract.ts";
import { rulesQuery } from "./reads.ts";
import { useRead } from "../cache/query-provider.tsx";
import { useQuery } from "../cache/use-query.ts";
import { useKeep, useKept } from "../session/kept-entries.ts";

type NamedRules = Pick<PointsRules, "heartbeatsRequired" | "referralPoints">;

/** For backends that do not tell (product specification, section 9). */
const SPECIFIED: NamedRules = { heartbeatsRequired: 100, referralPoints: 1000 };

/** The figures that pages name, of the rules in force; while they cannot be had, of those that were. */
export function useRules(): NamedRules {
  const { data } = useQuery(rulesQuery(useRead()));
  const kept = useKept("configuration");
  if (data !== undefined) return data ?? SPECIFIED;
  return {
    heartbeatsRequired: toFigure(kept.heartbeatsRequired) ?? SPECIFIED.heartbeatsRequired,
    referralPoints: toFigure(kept.referralPoints) ?? SPECIFIED.referralPoints,
  };
}

const toFigure = (value: unknown) => (typeof value === "number" ? value : undefined);

/** Keeps the rules in force for when they cannot be had. */
export const useKeepRules = (): void => useKeep("configuration", useQuery(rulesQuery(useRead())).data);
