import { PointsRules } from "../../server/points/contract.ts";
import { ApiError } from "./api-error.ts";
import type { ApiClient } from "./client.ts";

/** The points rules in force; null where the backend has no such call, or answers something else. */
export async function fetchRules({ points }: Pick<ApiClient, "points">): Promise<PointsRules | null> {
  try {
    return PointsRules.safeParse(await points.rules()).data ?? null;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}
