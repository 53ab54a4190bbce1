import { useEffect } from "react";
import { useNavigation } from "react-router";
import { keepCookie } from "../cookies/plain-cookie.ts";
import { showToast } from "../ui/toast/toast.ts";
import { FORGET_FLASH, readFlash, type Flash } from "./flash.ts";

/** What came with the document, once it was said. */
let told: Flash | null = null;

/**
 * Shows what an action has said (see `flash`): what came with the document, and what comes while it stays. Without a
 * script the same words stand above the page.
 */
export function Flashes({ arrived }: { arrived: Flash | null }) {
  const { state } = useNavigation();
  useEffect(() => {
    // An error that takes the place of the whole page begins this anew.
    if (arrived !== told) raise(arrived);
    told = arrived;
  }, [arrived]);
  useEffect(() => {
    if (state === "idle") raise(takeFlash());
  }, [state]);
  if (!arrived) return null;
  const { text, tone } = arrived;
  return (
    <output
      className={`hidden border-b border-line bg-surface px-4 py-3 text-center font-strong noscript:block ${tone === "error" ? "text-bad" : ""}`}
    >
      {text}
    </output>
  );
}

function takeFlash(): Flash | null {
  const flash = readFlash(document.cookie);
  if (flash) keepCookie(FORGET_FLASH);
  return flash;
}

/** One id for the same words, so that a second run of an effect replaces the toast instead of adding one. */
function raise(flash: Flash | null) {
  if (flash) showToast(flash.text, { tone: flash.tone, id: flash.text });
}
