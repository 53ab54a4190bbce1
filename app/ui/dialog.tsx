import { useId, type ComponentProps, type MouseEvent, type ReactNode } from "react";

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

/** The classes of a dialog, for one that is not `Dialog`. */
export const dialogClass =
  "m-auto max-h-[calc(100dvh-2rem)] w-[calc(100%-2rem)] max-w-95 overflow-y-auto rounded-dialog bg-surface p-6 text-ink shadow-dialog open:grid open:gap-4 forced-colors:border";
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
 * Opens a dialog, in every browser. Where invoker commands work a button opens it without a script. Elsewhere a link
 * takes its place: a script opens the dialog, and without one the link leads to a page that does the same.
 * The stylesheet shows one of the two, by `invokers:` (base.css).
 */
export function DialogTrigger({ dialog, fallbackHref, className = "", children }: DialogTriggerProps) {
  function openInstead(event: MouseEvent) {
    const target = document.getElementById(dialog);
    if (!(target instanceof HTMLDialogElement) || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    target.showModal();
  }

  return (
    <>
      <button type="button" command="show-modal" commandfor={dialog} className={`${className} not-invokers:hidden`}>
        {children}
      </button>
      <a href={fallbackHref} onClick={openInstead} className={`${className} invokers:hidden`}>
        {children}
      </a>
    </>
  );
}

/** Closes the dialog it stands in, without a script and in every browser: a form of method `dialog` needs neither. */
export function CloseDialog(props: ComponentProps<"button">) {
  return (
    <form method="dialog" className="contents">
      <button {...props} type="submit" />
    </form>
  );
}
