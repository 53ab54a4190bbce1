import { readPlainKeys } from "../../page/preferences.ts";

/** What a key of ours opens. */
export type Opening = "menu" | "shortcuts";

/**
 * What a key press asks for: Ctrl or Cmd and k, or ? unless that is turned off. Nothing while somebody types, and
 * nothing over an open dialog, whose question comes first.
 */
export function findOpening(event: KeyboardEvent): Opening | undefined {
  const opening = readKey(event);
  if (!opening || event.defaultPrevented || event.isComposing) return undefined;
  const isTyping = event.target instanceof Element && event.target.closest(":read-write, select") !== null;
  return isTyping || document.querySelector("dialog[open]") ? undefined : opening;
}

function readKey(event: KeyboardEvent): Opening | undefined {
  if (isCommand(event, "k")) return "menu";
  // With or without Shift, and on some keyboards Alt: what counts is the character.
  const isPlain = event.key === "?" && !event.ctrlKey && !event.metaKey;
  return isPlain && readPlainKeys(document.cookie) ? "shortcuts" : undefined;
}

type Keys = Pick<KeyboardEvent, "altKey" | "code" | "ctrlKey" | "key" | "metaKey" | "shiftKey">;

/** Whether Ctrl or Cmd and a letter are pressed: where another alphabet is typed, the key in the letter's place. */
export const isCommand = ({ altKey, code, ctrlKey, key, metaKey, shiftKey }: Keys, letter: string): boolean =>
  (ctrlKey || metaKey) && !altKey && !shiftKey && (/[a-z]/i.test(key) ? key : code.slice(3)).toLowerCase() === letter;
