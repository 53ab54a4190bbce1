/** What is open over the page until somebody looks elsewhere, such as a menu; a tooltip is none. */
export const findPopover = () => document.querySelector<HTMLElement>("[popover=auto]:popover-open");

/** Gives the focus back to where it was opened from, if it has it. */
export const closePopover = () => findPopover()?.hidePopover();
