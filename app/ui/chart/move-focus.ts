import type { KeyboardEvent } from "react";

/** Moves the focus among the marks of a drawing with the arrow keys, Home and End. The marks share one Tab stop. */
export function moveFocus(event: KeyboardEvent<SVGSVGElement>): void {
  const marks = [...event.currentTarget.querySelectorAll<SVGElement>("[tabindex]")];
  const at = marks.findIndex((mark) => mark === document.activeElement);
  const step = {
    ArrowRight: at + 1,
    ArrowDown: at + 1,
    ArrowLeft: at - 1,
    ArrowUp: at - 1,
    Home: 0,
    End: marks.length - 1,
  };
  const to = Object.entries(step).find(([key]) => key === event.key)?.[1];
  if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const next = marks[to];
  if (!next) return;
  for (const mark of marks) mark.setAttribute("tabindex", mark === next ? "0" : "-1");
  next.focus();
}
