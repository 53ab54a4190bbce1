import { Column, is, SQL } from "drizzle-orm";

/** A selected column in a built query: where its value goes in the result, and what it was selected as. */
type Field = { path: string[]; field: unknown };
type Decoder = { mapFromDriverValue: (value: unknown) => unknown };
type Row = unknown[];

/** What Drizzle's types hide of a prepared query and of SQL in it. */
type Built = { fields?: Field[]; customResultMapper?: (rows: Row[]) => Record<string, unknown>[] };
type DecodedSql = { decoder: Decoder };

/**
 * Finds once what decodes each column of a prepared query, and maps the query's rows with it. Drizzle finds it again for
 * every value of every row, by walking the prototypes of the column's class, which took a tenth of the time for a single
 * heartbeat. Drizzle still maps rows that have objects in them, or a subquery as a column.
 */
export function precomputeDecoders(query: unknown): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Drizzle's types hide them
  const built = query as Built;
  const columns = built.fields?.flatMap(({ field, path: [name = "", ...inner] }) => {
    const decoder = decoderOf(field);
    return decoder && inner.length === 0 ? { name, decoder } : [];
  });
  if (!columns || columns.length !== built.fields?.length || built.customResultMapper) return;
  built.customResultMapper = (rows) => rows.map((row) => mapRow(row, columns));
}

function mapRow(row: Row, columns: { name: string; decoder: Decoder }[]) {
  const result: Record<string, unknown> = {};
  for (const [index, { name, decoder }] of columns.entries()) {
    const value = row[index];
    result[name] = value === null ? null : decoder.mapFromDriverValue(value);
  }
  return result;
}

/** Finds what decodes a column's values, as Drizzle's `mapResultRow` does. */
function decoderOf(field: unknown): Decoder | undefined {
  if (is(field, Column)) return field;
  const selected = is(field, SQL.Aliased) ? field.sql : field;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Drizzle's types hide it
  return is(selected, SQL) ? (selected as unknown as DecodedSql).decoder : undefined;
}
