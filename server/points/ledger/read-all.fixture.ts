import type { createTestApi } from "../../../tests/support/api/api.ts";
import { exportPointsLog, readPointsLog, readPointsLogDetail, readStats } from "../contract.ts";

const QUERIES = [
  { limit: 100 },
  { limit: 3, page: 2 },
  { category: "Connectivity", limit: 2, page: 2 },
  { category: "Rewards" },
  { startDate: "2026-01-01", endDate: "2026-02-14" },
  { startDate: "2026-01-31T23:59:59.000Z", endDate: "2026-02-14T10:00:00.000Z" },
];

/** Reads everything about a member's points. */
export async function readAllPoints(api: ReturnType<typeof createTestApi>, token: string) {
  const pages = [];
  for (const query of QUERIES) pages.push(await api.read(readPointsLog, { token, query }));
  const details = [];
  for (const { id = "" } of pages[0]?.data ?? []) {
    details.push(await api.read(readPointsLogDetail, { token, params: { id } }));
  }
  const file = String((await api.call(exportPointsLog, { token })).body).split("\r\n");
  return { pages, details, file, stats: await api.read(readStats, { token }) };
}
