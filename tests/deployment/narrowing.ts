/** What removes, or requires, something that the previous version does not know about. */
const NARROWING: [what: string, pattern: RegExp][] = [
  ["drops a table", /^drop (?:table|view|materialized view|schema|type|sequence)\b/],
  ["drops a column", /\bdrop column\b/],
  ["renames", /\brename\b/],
  ["changes a type", /\balter column \S+ (?:set data )?type\b/],
  ["takes a default away", /\balter column \S+ drop default\b/],
  ["asks for a value", /\balter column \S+ set not null\b/],
  ["asks for a value", /\badd column (?!.*\b(?:default|generated)\b).*\bnot null\b/],
  ["takes a right away", /^revoke\b/],
];

/** Finds constraints and indexes by name: one that is created again in the same migration is not gone. */
const DROPPED = /\bdrop (?:constraint|index)(?: if exists)? (?:"?public"?\.)?"?(\w+)"?/;

/** Returns the statements of a migration that would break the previous version, and why. */
export function findNarrowing(migration: string): { statement: string; what: string }[] {
  const statements = splitStatements(migration);
  return statements.flatMap((statement) => {
    const plain = toPlain(statement);
    const found = NARROWING.find(([, pattern]) => pattern.test(plain));
    if (found) return [{ statement, what: found[0] }];
    const name = DROPPED.exec(plain)?.[1];
    const isMadeAnew = statements.some((other) => other !== statement && makes(toPlain(other), name));
    return name && !isMadeAnew ? [{ statement, what: "drops a constraint or an index" }] : [];
  });
}

const makes = (plain: string, name = "") =>
  new RegExp(`\\b(?:add constraint|create (?:unique )?index(?: concurrently)?(?: if not exists)?) "?${name}"?\\b`).test(
    plain,
  );

const splitStatements = (migration: string) =>
  migration
    .replaceAll(/^\s*--(?!> statement-breakpoint).*$/gm, "")
    .split("--> statement-breakpoint")
    .map((statement) => statement.trim())
    .filter(Boolean);

const toPlain = (statement: string) => statement.toLowerCase().replaceAll(/\s+/g, " ");
