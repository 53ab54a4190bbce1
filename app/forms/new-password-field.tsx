import { useEffect, useRef, useState, type ComponentProps } from "react";
import { PASSWORD_MIN_LENGTH } from "../../server/password-rules/contract.ts";
import { PasswordField } from "./password-field.tsx";
import { judgePassword, type Strength } from "./password-strength.ts";

type NewPasswordFieldProps = Omit<ComponentProps<typeof PasswordField>, "autoComplete" | "hint"> & { name: string };

/** A field for a new password. Length makes a password strong, and the page says so while it is typed. */
export function NewPasswordField(props: NewPasswordFieldProps) {
  const { name, lastResult } = props;
  const field = useRef<HTMLDivElement>(null);
  const [judged, setJudged] = useState<{ strength: Strength; after: unknown }>({
    strength: "empty",
    after: lastResult,
  });
  const isEmptied = lastResult?.status === "error" && judged.after !== lastResult;

  useEffect(() => {
    const form = field.current?.closest("form");
    const judge = () => setJudged({ strength: judgeForm(form, name), after: lastResult });
    function follow() {
      judge();
      // The password may have changed by the time the list has loaded.
      if (!leaked) void loadLeaked().then(judge);
    }
    form?.addEventListener("input", follow);
    // Typed, or filled in by the browser, before the script ran.
    if (judgeForm(form, name) !== "empty") follow();
    return () => form?.removeEventListener("input", follow);
  }, [name, lastResult]);

  return (
    <div ref={field}>
      <PasswordField
        {...props}
        hint="At least 8 characters. 15 or more are strong: try a few words you can remember."
        autoComplete="new-password"
        minLength={PASSWORD_MIN_LENGTH}
      />
      <Meter strength={isEmptied ? "empty" : judged.strength} />
    </div>
  );
}

/** The passwords that everyone tries first, once they have loaded: about 50 kB, requested with the first key typed. */
let leaked: ReadonlySet<string> | null = null;

async function loadLeaked(): Promise<void> {
  try {
    leaked = (await import("./leaked-passwords.island.ts")).LEAKED_PASSWORDS;
  } catch {
    // Without them no password is praised. The server still refuses common ones.
  }
}

/** Judges the password of a form together with the email address that it is for. */
function judgeForm(form: HTMLFormElement | null | undefined, name: string): Strength {
  const password = form?.elements.namedItem(name);
  const email = form?.querySelector<HTMLInputElement>("[autocomplete=username]");
  if (!(password instanceof HTMLInputElement)) return "empty";
  return judgePassword(password.value, email?.value ?? "", leaked);
}

type Level = { bars: number; colour: string; word: string };

const BAD = { bars: 1, colour: "fill-bad" };

const LEVELS: Record<Strength, Level | null> = {
  empty: null,
  short: { ...BAD, word: "Too short" },
  long: { ...BAD, word: "Too long" },
  common: { ...BAD, word: "Too easy to guess" },
  unknown: null,
  fair: { bars: 2, colour: "fill-warn", word: "Good enough" },
  strong: { bars: 3, colour: "fill-good", word: "Strong" },
};

/** An outline, because forced colours would show it as full as the others. */
const EMPTY_BAR = "fill-line forced-colors:fill-paper forced-colors:stroke-ink";

/** Three bars and a word, which screen readers announce when it changes. Without a script there is only the hint. */
function Meter({ strength }: { strength: Strength }) {
  const level = LEVELS[strength];
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
      <output className="min-w-28 text-end text-hint text-ink-2">{level?.word}</output>
    </div>
  );
}
