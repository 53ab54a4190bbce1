import { useEffect, useRef } from "react";

const SIGNS = "abcdefghijklmnopqrstuvwxyz0123456789";
const FRAME = 32;
const FRAMES_PER_LETTER = 1.6;

/**
 * A title that settles letter by letter when it changes. The text itself is never scrambled: the scramble is drawn over
 * it from an attribute, in a monospaced font. Nothing moves, and screen readers read only the text.
 */
export function ScrambledTitle({ text }: { text: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => scramble(heading.current, text), [text]);

  return (
    <h1 ref={heading} className="page-title">
      {text}
    </h1>
  );
}

function scramble(heading: HTMLElement | null, text: string) {
  if (!heading || matchMedia("(prefers-reduced-motion: reduce)").matches) return undefined;
  const end = text.length * FRAMES_PER_LETTER;
  let frame = 0;

  const timer = setInterval(() => {
    frame += 1;
    if (frame > end) stop();
    else heading.dataset.scramble = scrambleFrom(text, Math.floor(frame / FRAMES_PER_LETTER));
  }, FRAME);

  const stop = () => {
    clearInterval(timer);
    delete heading.dataset.scramble;
  };
  return stop;
}

/** Replaces the letters of a text from the given place on. Spaces stay. */
export function scrambleFrom(text: string, settled: number): string {
  return Array.from(text, (letter, index) => (index < settled || letter === " " ? letter : randomSign())).join("");
}

const randomSign = () => SIGNS[Math.floor(Math.random() * SIGNS.length)] ?? "";
