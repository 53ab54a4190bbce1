import { useEffect, type RefObject } from "react";
import { showModally } from "../ui/dialog.tsx";
import { focusPage } from "../ui/lost-focus.ts";

/**
 * Turns a dialog that is open in the HTML into a modal one. Below 768 px, the card for small screens may replace the
 * page. A modal dialog that nobody sees would block that card, so it is closed while the card is shown.
 */
export function useModal(ref: RefObject<HTMLDialogElement | null>): void {
  useEffect(() => {
    const dialog = ref.current;
    const stage = dialog?.parentElement;
    if (!dialog || !stage) return undefined;
    const follow = () => (isOnStage(dialog) ? openQuestion(dialog) : dialog.close());
    follow();
    // The size changes from and to zero.
    const visibility = new ResizeObserver(follow);
    visibility.observe(stage);
    return () => {
      visibility.disconnect();
      // Nothing else gives the focus a place when the dialog leaves the page.
      focusPage();
    };
  }, [ref]);
}

/** Returns whether the part of the page that a dialog belongs to is visible. */
export const isOnStage = (dialog: HTMLDialogElement) => dialog.parentElement?.checkVisibility() ?? false;

/** Opens a question. Its text is read first, and a key press that was meant for the page behind triggers nothing. */
export function openQuestion(dialog: HTMLDialogElement): void {
  if (dialog.matches(":modal")) return;
  showModally(dialog);
  dialog.focus();
}
