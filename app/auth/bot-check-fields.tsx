import { DECOY } from "./decoy.ts";

/** What tells robots from people without asking people anything. */
export function BotCheckFields({ token }: { /** The signed single-use token of the built-in check. */ token: string }) {
  return (
    <>
      <input type="hidden" name="turnstileToken" value={token} />
      <div className="decoy" aria-hidden="true">
        <label htmlFor={DECOY}>Please leave this field blank</label>
        <input id={DECOY} name={DECOY} defaultValue="" autoComplete="off" tabIndex={-1} />
      </div>
    </>
  );
}
