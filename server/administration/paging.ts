import * as z from "zod";
import { Instant } from "../http/contract.ts";

/**
 * Builds a page from rows that were read with one more than the limit: the extra row shows that another page follows.
 */
export function toPage<Row, Item>(
  rows: Row[],
  limit: number,
  { show, cursor }: { show: (row: Row) => Item; cursor: (row: Row) => string },
) {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { items: shown.map(show), next: rows.length > limit && last !== undefined ? cursor(last) : null };
}

/** A position in a list ordered by time. It stays valid after its row is deleted. */
export type Cursor = { at: string; id: string };

const Parts = z.tuple([Instant, z.uuid()]);

export const formatCursor = (at: Date, id: string): string => `${at.toISOString()}_${id}`;

/** Returns the position that a page's cursor names, or undefined for the beginning if it names none. */
export function parseCursor(after: string | undefined): Cursor | undefined {
  const { data } = Parts.safeParse(after?.split("_"));
  // Rewritten in our own format: PostgreSQL rejects an offset of a whole day, or a second with a hundred digits.
  return data && { at: new Date(data[0]).toISOString(), id: data[1] };
}
