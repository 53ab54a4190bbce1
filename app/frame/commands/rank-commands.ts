type Named = {
  label: string;
  /** Other words that someone may search for it by. */
  words?: string;
  /** Listed only if its label or words contain the search text as written. */
  isOnlyFound?: boolean;
};

/** Returns the commands that match a query, the best match first. Equal matches keep their order. */
export function rankCommands<Command extends Named>(commands: readonly Command[], query: string): Command[] {
  const wanted = query.trim().toLowerCase();
  return commands
    .filter(({ isOnlyFound }) => wanted !== "" || !isOnlyFound)
    .map((command) => ({ command, score: score(command, wanted) }))
    .filter((ranked) => ranked.score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ command }) => command);
}

/**
 * Scores how well a command matches: by the beginning of its label, the beginning of a word in it, any part of it, its
 * other words, or its letters in order. Returns 0 if it does not match.
 */
function score({ label, words = "", isOnlyFound }: Named, wanted: string): number {
  const name = label.toLowerCase();
  if (name.startsWith(wanted)) return 5;
  if (name.includes(` ${wanted}`)) return 4;
  if (name.includes(wanted)) return 3;
  if (words.toLowerCase().includes(wanted)) return 2;
  return !isOnlyFound && hasLettersInOrder(name, wanted) ? 1 : 0;
}

function hasLettersInOrder(name: string, wanted: string): boolean {
  let at = 0;
  for (const letter of wanted.replaceAll(/\s+/g, "")) {
    at = name.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
