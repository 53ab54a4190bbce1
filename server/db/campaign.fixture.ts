import type { campaigns } from "./schema.ts";

/** A row to write, for tests that are not about what is in it. */
export const SPRING: typeof campaigns.$inferInsert = {
  id: "spring",
  name: "Spring",
  type: "form",
  formUrl: "https://nodebeat.test/spring",
  bonusPoints: 10,
  mandatory: false,
  taskNumber: 1,
};
