import { useEffect, type RefObject } from "react";
import { showModally } from "../ui/dialog.tsx";
import { focusPage } from "../ui/lost-focus.ts";

/**
 * Makes a dialog that is open in the HTML modal. Below 768 px the card of small screens may stand in for the page; a
 * modal dialog that nobody sees would then block that card, so it is closed for as long.
 */
export function useModal(ref: RefObject<HTMLDialogElement | null>): void {
  useEffect(() => {
    const dialog = ref.current;
    const stage = dialog?.parentElement;
    if (!dialog || !stage) return undefined;
    const follow = () => (isOnStage(dialog) ? openQuestion(dialog) : dialog.close());
    follow();
    // The size changes to and from nothing.
    const visibility = new ResizeObserver(follow);
    visibility.observe(stage);
    return () => {
      visibility.disconnect();
      // Nothing else gives the keyboard a place again when the dialog leaves the page.
      focusPage();
    };
  }, [ref]);
}

/** Whether the part of the page that a dialog belongs to is shown. */
export const isOnStage = (dialog: HTMLDialogElement) => dialog.parentElement?.checkVisibility() ?? false;

/** Opens a question. What it says comes first, and a key that was meant for the page behind presses nothing. */
export function openQuestion(dialog: HTMLDialogElement): void {
  if (dialog.matches(":modal")) return;
  showModally(dialog);
  dialog.focus();
}
