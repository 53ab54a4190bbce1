/** What is open over the page until somebody looks elsewhere, such as a menu; a tooltip is none. */
const findPopover = () => document.querySelector<HTMLElement>("[popover=auto]:popover-open");

/** Gives the focus back to where it was opened from, if it has it. */
export const closePopover = () => findPopover()?.hidePopover();

// What the keyboard leaves would cover what it goes to (WCAG 2.4.11). Presses beside it close it by themselves, and
// that of its own button would open it again.
if (!import.meta.env.SSR)
  addEventListener("focusin", () => {
    const focused = document.querySelector(":focus-visible");
    if (focused && !findPopover()?.contains(focused)) closePopover();
  });
