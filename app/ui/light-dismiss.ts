/**
 * Closes a dialog with `closedby="any"` when the visitor presses outside it. Only for browsers that do not know the
 * attribute (Safari, Firefox before 141).
 */
export function closeByPressOutside(): void {
  // A press that begins inside and ends outside, for example to select text, must not close it.
  let began: HTMLDialogElement | null = null;
  addEventListener("pointerdown", (event) => {
    began = findBackdrop(event);
  });
  addEventListener("click", (event) => {
    const dialog = findBackdrop(event);
    if (dialog && dialog === began) dialog.close();
  });
}

/**
 * Returns the dialog whose backdrop was pressed. Events have the dialog itself as target then, at a point outside its
 * box.
 */
function findBackdrop({ target, clientX: x, clientY: y }: MouseEvent): HTMLDialogElement | null {
  if (!(target instanceof HTMLDialogElement) || target.getAttribute("closedby") !== "any") return null;
  const { left, right, top, bottom } = target.getBoundingClientRect();
  return x < left || x > right || y < top || y > bottom ? target : null;
}
