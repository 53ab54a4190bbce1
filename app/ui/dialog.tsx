import { useId, type ComponentProps, type ReactNode } from "react";
import { useHydrated } from "./hydrated.ts";

type DialogProps = {
  /** What the triggers refer to. */
  id: string;
  title: string;
  /** False for a question that has to be answered: then neither Escape nor a click outside closes it. */
  dismissible?: boolean;
  /** Open in the page itself, before any script. Such a dialog is not modal until a script makes it so. */
  open?: boolean;
  children: ReactNode;
};

/** A native modal dialog. Open it with DialogTrigger, close it with CloseDialog. */
export function Dialog({ id, title, dismissible = true, open, children }: DialogProps) {
  const titleId = useId();
  return (
    <dialog
      id={id}
      open={open}
      aria-labelledby={titleId}
      closedby={dismissible ? "any" : "none"}
      className={`${dialogClass} backdrop:bg-backdrop`}
    >
      <h2 id={titleId} className={dialogTitleClass}>
        {title}
      </h2>
      {children}
    </dialog>
  );
}

/** The classes of a dialog, for one that is not `Dialog`. WebKit stretches a grid in it, but for `content-start`. */
export const dialogClass =
  "m-auto max-h-[calc(100dvh-2rem)] w-[calc(100%-2rem)] max-w-95 overflow-y-auto rounded-dialog bg-surface p-6 text-ink shadow-dialog open:grid open:content-start open:gap-4 forced-colors:border";
export const dialogTitleClass = "text-dialog leading-[1.15] font-bold tracking-[-0.025em]";

type DialogTriggerProps = {
  /** The dialog's id. */
  dialog: string;
  /** A page that does the same as the dialog. */
  fallbackHref: string;
  className?: string;
  children: ReactNode;
};

/**
 * Opens a dialog, in every browser: until there is a script a link leads to the page that does the same. Not by
 * `command`, which some engines lack and a stylesheet cannot ask about.
 */
export function DialogTrigger({ dialog, fallbackHref, className, children }: DialogTriggerProps) {
  if (!useHydrated()) {
    return (
      <a href={fallbackHref} className={className}>
        {children}
      </a>
    );
  }
  return (
    <button type="button" aria-haspopup="dialog" onClick={() => openDialog(dialog)} className={className}>
      {children}
    </button>
  );
}

function openDialog(id: string) {
  const dialog = document.getElementById(id);
  if (dialog instanceof HTMLDialogElement) dialog.showModal();
}

/** Closes the dialog it stands in, without a script and in every browser: a form of method `dialog` needs neither. */
export function CloseDialog(props: ComponentProps<"button">) {
  return (
    <form method="dialog" className="contents">
      <button {...props} type="submit" />
    </form>
  );
}
