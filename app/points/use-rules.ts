import { useQuery } from "@tanstack/react-query";
import type { PointsRules } from "../../server/points/contract.ts";
import { rulesQuery } from "./reads.ts";
import { useRead } from "../cache/query-provider.tsx";

type NamedRules = Pick<PointsRules, "heartbeatsRequired" | "referralPoints">;

/** For backends that do not tell (product specification, section 9). */
const SPECIFIED: NamedRules = { heartbeatsRequired: 100, referralPoints: 1000 };

/** The figures that pages name, of the rules in force. */
export function useRules(): NamedRules {
  const { data } = useQuery(rulesQuery(useRead()));
  return data ?? SPECIFIED;
}
