/** Milliseconds between two words about how far something is. */
const WORD_EVERY = 1_000;

/** The first word, and then not more than one a second. */
export function seldom(say: (text: string) => void) {
  let last = -Infinity;
  return (text: string) => {
    const now = performance.now();
    if (now - last < WORD_EVERY) return;
    last = now;
    say(text);
  };
}
