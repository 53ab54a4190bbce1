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

function readKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): Opening | undefined {
  const isCommand = ctrlKey || metaKey;
  if (isCommand && !altKey && !shiftKey && key.toLowerCase() === "k") return "menu";
  // With or without Shift, and on some keyboards Alt: what counts is the character.
  return key === "?" && !isCommand && readPlainKeys(document.cookie) ? "shortcuts" : undefined;
}
