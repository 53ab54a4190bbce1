import { readPlainKeys } from "../../page/preferences.ts";

/** What a shortcut opens. */
export type Opening = "menu" | "shortcuts";

/**
 * Returns what a key press opens: Ctrl or Cmd and k, or ? unless that is turned off. Returns undefined while someone is
 * typing, and while a dialog is open, because its question comes first.
 */
export function findOpening(event: KeyboardEvent): Opening | undefined {
  const opening = readKey(event);
  if (!opening || event.defaultPrevented || event.isComposing) return undefined;
  const isTyping = event.target instanceof Element && event.target.closest(":read-write, select") !== null;
  return isTyping || document.querySelector("dialog[open]") ? undefined : opening;
}

function readKey(event: KeyboardEvent): Opening | undefined {
  if (isCommand(event, "k")) return "menu";
  // With or without Shift, and with Alt on some keyboards: only the character counts.
  const isPlain = event.key === "?" && !event.ctrlKey && !event.metaKey;
  return isPlain && readPlainKeys(document.cookie) ? "shortcuts" : undefined;
}

type Keys = Pick<KeyboardEvent, "altKey" | "code" | "ctrlKey" | "key" | "metaKey" | "shiftKey">;

/** Returns whether Ctrl or Cmd and a letter are pressed. In another alphabet, the key in the letter's place counts. */
export const isCommand = ({ altKey, code, ctrlKey, key, metaKey, shiftKey }: Keys, letter: string): boolean =>
  (ctrlKey || metaKey) && !altKey && !shiftKey && (/[a-z]/i.test(key) ? key : code.slice(3)).toLowerCase() === letter;
