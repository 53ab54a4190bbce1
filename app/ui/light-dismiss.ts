/**
 * Closes a dialog of `closedby="any"` by a press outside it. Only for browsers that do not know the attribute (Safari,
 * Firefox before 141).
 */
export function closeByPressOutside(): void {
  // A press that begins inside, as to mark a text, and ends outside closes nothing.
  let began: HTMLDialogElement | null = null;
  addEventListener("pointerdown", (event) => {
    began = findBackdrop(event);
  });
  addEventListener("click", (event) => {
    const dialog = findBackdrop(event);
    if (dialog && dialog === began) dialog.close();
  });
}

/** The dialog whose backdrop was pressed. To events the backdrop is the dialog itself, outside of its box. */
function findBackdrop({ target, clientX: x, clientY: y }: MouseEvent): HTMLDialogElement | null {
  if (!(target instanceof HTMLDialogElement) || target.getAttribute("closedby") !== "any") return null;
  const { left, right, top, bottom } = target.getBoundingClientRect();
  return x < left || x > right || y < top || y > bottom ? target : null;
}
