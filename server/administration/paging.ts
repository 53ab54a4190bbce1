import * as z from "zod";
import { Instant } from "../http/contract.ts";

/** A page of a list that was asked for one row more than it has: so it is known whether there is another. */
export function toPage<Row, Item>(
  rows: Row[],
  limit: number,
  { show, cursor }: { show: (row: Row) => Item; cursor: (row: Row) => string },
) {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { items: shown.map(show), next: rows.length > limit && last !== undefined ? cursor(last) : null };
}

/** Where a list that is in the order of time goes on, also when the row that stood there is gone. */
export type Place = { at: string; id: string };

const Parts = z.tuple([Instant, z.uuid()]);

export const writePlace = (at: Date, id: string): string => `${at.toISOString()}_${id}`;

/** The place that a page's cursor names: the beginning where it names none. */
export function readPlace(after: string | undefined): Place | undefined {
  const { data } = Parts.safeParse(after?.split("_"));
  // As we write it: PostgreSQL knows no offset of a whole day, nor a second of a hundred digits.
  return data && { at: new Date(data[0]).toISOString(), id: data[1] };
}
