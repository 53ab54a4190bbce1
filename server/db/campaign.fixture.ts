import type { campaigns } from "./schema.ts";

/** A row to insert, for tests that do not depend on its contents. */
export const SPRING: typeof campaigns.$inferInsert = {
  id: "spring",
  name: "Spring",
  type: "form",
  formUrl: "https://nodebeat.test/spring",
  bonusPoints: 10,
  mandatory: false,
  taskNumber: 1,
};
