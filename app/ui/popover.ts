/** Returns the open popover that closes when the visitor turns elsewhere, such as a menu. Tooltips do not count. */
const findPopover = () => document.querySelector<HTMLElement>("[popover=auto]:popover-open");

/** Closes the open popover. If it has the focus, the focus returns to its opener. */
export const closePopover = () => findPopover()?.hidePopover();

// A popover that the keyboard has left would cover the focused element (WCAG 2.4.11). Presses outside close it without
// this, and if a press on its own button closed it here, the button would open it again.
if (!import.meta.env.SSR)
  addEventListener("focusin", () => {
    const focused = document.querySelector(":focus-visible");
    if (focused && !findPopover()?.contains(focused)) closePopover();
  });
