type Named = {
  label: string;
  /** Other words that somebody may look for it by. */
  words?: string;
  /** Listed only once it is searched for, by its words as they are written. */
  isOnlyFound?: boolean;
};

/** What fits a query, the best fit first. Of equals, the one that comes first stays first. */
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
 * How well a command fits: by its beginning, a word's, any part, or by its letters in their order. Zero: not at all.
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
