/** Milliseconds between two words about how far something is. */
const WORD_EVERY = 1_000;
/** Between two lines of the log about what goes on failing: an outage may last for days. */
export const LINE_EVERY = 60_000;

/** The first word, and then not more than one in so many milliseconds. */
export function seldom<Word>(say: (word: Word) => void, every = WORD_EVERY) {
  let last = -Infinity;
  return (word: Word) => {
    const now = performance.now();
    if (now - last < every) return;
    last = now;
    say(word);
  };
}
