import { isQuoted, OPERATOR_CHOSEN, SECRETS, Settings, type Source } from "./env.ts";

/** Shorter names are too easily confused with unrelated variables, such as API_URL with APP_URL. */
const SHORTEST = 8;

/** One mistake is allowed for this many letters of a name, and three at most. */
const LETTERS_PER_MISTAKE = 5;

/** Finds settings with which the server can start, but which are probably mistakes. Returns a sentence for each. */
export const findMistaken = (source: Source): string[] => [
  ...findIdle(source),
  ...OPERATOR_CHOSEN.filter((name) => isQuoted(source[name])).map(
    (name) => `${name} is in quotation marks, which are part of it. \`docker run --env-file\` keeps them.`,
  ),
];

/** Finds variables that look like settings but have no effect. */
function findIdle(source: Source): string[] {
  const names = Object.keys(Settings.shape);
  const known = ["NODE_ENV", ...names, ...SECRETS.map((name) => `${name}_FILE`)];
  return Object.keys(source)
    .filter((name) => source[name]?.trim() && !known.includes(name))
    .flatMap((name) => {
      const setting = name.replace(/_FILE$/, "");
      if (setting !== name && names.includes(setting))
        return `${name} has no effect: ${setting} is no secret, and cannot come from a file.`;
      const meant = findMeant(name, known);
      return meant ? `${name} is no setting and has no effect. Did you mean ${meant}?` : [];
    });
}

function findMeant(name: string, known: string[]): string | undefined {
  if (name.length < SHORTEST) return undefined;
  return known.find((other) => {
    if (other.length < SHORTEST) return false;
    const most = Math.min(3, Math.floor(Math.max(name.length, other.length) / LETTERS_PER_MISTAKE));
    return Math.abs(name.length - other.length) <= most && countMistakes(name.toUpperCase(), other) <= most;
  });
}

/** Counts the letters that were added, left out, replaced, or swapped with the next one. */
function countMistakes(typed: string, meant: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: meant.length + 1 }, (_, column) => column);
  for (let row = 1; row <= typed.length; row += 1) {
    const counts = [row];
    for (let column = 1; column <= meant.length; column += 1) {
      const isSame = typed[row - 1] === meant[column - 1];
      const isSwapped = typed[row - 1] === meant[column - 2] && typed[row - 2] === meant[column - 1];
      counts.push(
        Math.min(
          at(last, column) + 1,
          at(counts, column - 1) + 1,
          at(last, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(beforeLast, column - 2) + 1 : Infinity,
        ),
      );
    }
    [beforeLast, last] = [last, counts];
  }
  return at(last, meant.length);
}

const at = (counts: number[], column: number): number => counts[column] ?? Infinity;
