import { useState, type ComponentProps } from "react";
import { PasswordField } from "./password-field.tsx";

/** From this many characters on, guessing is hopeless whatever they are (NIST SP 800-63B-4, section 3.1.1.2). */
const STRONG_LENGTH = 15;
const MIN_LENGTH = 8;

type NewPasswordFieldProps = Omit<ComponentProps<typeof PasswordField>, "autoComplete" | "hint">;

/** A password to be chosen. What makes it strong is its length, and the page says so while it is typed. */
export function NewPasswordField(props: NewPasswordFieldProps) {
  const { lastResult } = props;
  const [typed, setTyped] = useState({ length: 0, after: lastResult });
  const isEmptied = lastResult?.status === "error" && typed.after !== lastResult;

  return (
    <div>
      <PasswordField
        {...props}
        hint="At least 8 characters. With 15 or more it is strong: a few words are easy to remember."
        autoComplete="new-password"
        minLength={MIN_LENGTH}
        onInput={({ currentTarget }) => setTyped({ length: Array.from(currentTarget.value).length, after: lastResult })}
      />
      <Strength length={isEmptied ? 0 : typed.length} />
    </div>
  );
}

const LEVELS = [
  { from: STRONG_LENGTH, bars: 3, colour: "fill-good", word: "Strong" },
  { from: MIN_LENGTH, bars: 2, colour: "fill-warn", word: "Good enough" },
  { from: 1, bars: 1, colour: "fill-bad", word: "Too short" },
];

/** A frame where the reader's colours would show it as full as the others. */
const EMPTY_BAR = "fill-line forced-colors:fill-paper forced-colors:stroke-ink";

/** Three bars and a word, which is read out when it changes. Without a script there is only the hint. */
function Strength({ length }: { length: number }) {
  const level = LEVELS.find(({ from }) => length >= from);
  return (
    <div className="mt-2 flex h-4 items-center gap-3 noscript:hidden">
      <svg aria-hidden className="h-1 w-0 grow overflow-visible forced-colors:h-1.5">
        {[0, 1, 2].map((bar) => (
          <rect
            key={bar}
            x={`${bar * 34}%`}
            width="32%"
            height="100%"
            rx="2"
            className={level && bar < level.bars ? `${level.colour} forced-colors:fill-ink` : EMPTY_BAR}
          />
        ))}
      </svg>
      <output className="min-w-21 text-end text-hint text-ink-2">{level?.word}</output>
    </div>
  );
}
