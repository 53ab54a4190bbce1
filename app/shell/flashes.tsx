import { useEffect } from "react";
import { useNavigation } from "react-router";
import { Icon } from "../ui/icon.tsx";
import { showToast } from "../ui/toast.ts";
import { FORGET_FLASH, readFlash, type Flash } from "./flash.ts";

/**
 * Shows what an action has said (see `flash`): what came with the document, and what comes while it stays. Without a
 * script the same words stand above the page.
 */
export function Flashes({ arrived }: { arrived: Flash | null }) {
  const { state } = useNavigation();
  useEffect(() => raise(arrived), [arrived]);
  useEffect(() => {
    if (state === "idle") raise(takeFlash());
  }, [state]);
  // Of no use where this script runs, so the browser's bundle goes without.
  return <noscript>{import.meta.env.SSR && arrived && <FlashNote {...arrived} />}</noscript>;
}

function FlashNote({ text, tone }: Flash) {
  return (
    <output className="flex items-center gap-2.5 border-b border-line bg-surface px-4 py-3 text-small md:px-7">
      <Icon
        name={tone === "error" ? "alert" : "done"}
        className={`size-4.5 shrink-0 ${tone === "error" ? "text-bad" : "text-good"}`}
      />
      {text}
    </output>
  );
}

function takeFlash(): Flash | null {
  const flash = readFlash(document.cookie);
  // oxlint-disable-next-line unicorn/no-document-cookie -- the Cookie Store API is not in every browser
  if (flash) document.cookie = FORGET_FLASH;
  return flash;
}

/** One id for the same words, so that a second run of an effect replaces the toast instead of adding one. */
function raise(flash: Flash | null) {
  if (flash) showToast(flash.text, { tone: flash.tone, id: flash.text });
}
