import { useEffect, useId, useRef, type ComponentProps, type MouseEvent, type ReactNode } from "react";
import { Icon } from "./icon.tsx";
import { focusPage, useLostFocus } from "./lost-focus.ts";
import { closePopover } from "./popover.ts";

type ModalProps = Omit<ComponentProps<"dialog">, "open" | "ref"> & {
  /** Whether it is open. If left out, `openDialog` opens it. */
  shown?: boolean;
};

/** A native modal dialog without styles. A press outside closes it. */
export function Modal({ shown, ...props }: ModalProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    if (shown === undefined || !dialog) return undefined;
    if (!shown) return dialog.close();
    const opener = showModally(dialog);
    // Focuses the dialog itself. Its first control may come after the text to read first, or may not be there yet.
    if (dialog.hasAttribute("tabindex")) {
      dialog.focus();
      dialog.scrollTop = 0;
    }
    return () => {
      // A dialog that is removed from the page does not give the focus back, and an opener that has gone cannot take
      // it.
      if (document.activeElement !== document.body) return;
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
      else focusPage();
    };
  }, [shown]);
  return <dialog ref={ref} closedby="any" {...props} />;
}

type DialogProps = Pick<ModalProps, "id" | "shown" | "onClose"> & {
  title: string;
  /** Whether a cross beside the title closes it. */
  cross?: boolean;
  children: ReactNode;
};

/** A dialog with a title. Open it with DialogTrigger or `shown`, close it with CloseDialog. */
export function Dialog({ title, cross = false, children, ...modal }: DialogProps) {
  const titleId = useId();
  return (
    <Modal {...modal} tabIndex={-1} aria-labelledby={titleId} className="dialog outline-none">
      <div className="flex items-start gap-3">
        {/* The pressed button may go with its step. The title then takes the focus. */}
        <h2 ref={useLostFocus(children, true)} id={titleId} className="me-auto dialog-title">
          {title}
        </h2>
        {cross && (
          <CloseDialog
            aria-label="Close"
            className="-me-2 -mt-1.5 grid size-8 shrink-0 place-items-center rounded-control text-ink-2 hover:bg-sunken hover:text-ink"
          >
            <Icon name="close" className="size-4.25" />
          </CloseDialog>
        )}
      </div>
      {children}
    </Modal>
  );
}

/**
 * Opens a dialog modally, even one that is already open without being modal. Returns the element that had the focus.
 */
export function showModally(dialog: HTMLDialogElement): Element | null {
  // An opener inside a popover cannot take the focus back. Closing the popover first moves the focus to its own opener.
  closePopover();
  const opener = document.activeElement;
  if (dialog.matches(":modal")) return opener;
  dialog.removeAttribute("open");
  dialog.showModal();
  return opener;
}

type DialogTriggerProps = {
  /** The dialog's id. */
  dialog: string;
  /** A page that does the same as the dialog. */
  fallbackHref: string;
  className?: string;
  children: ReactNode;
};

/**
 * A link that opens a dialog. Without a script, or in another tab, it leads to the page that does the same. It is a
 * link both before and after hydration, because a press in between would be lost if another element took its place. It
 * does not use `command`, which some browsers lack and CSS cannot test for.
 */
export function DialogTrigger({ dialog, fallbackHref, className, children }: DialogTriggerProps) {
  function open(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    openDialog(dialog);
  }
  return (
    <a href={fallbackHref} aria-haspopup="dialog" onClick={open} className={className}>
      {children}
    </a>
  );
}

/** Opens a dialog of the page by its id. */
export function openDialog(id: string): void {
  const dialog = document.getElementById(id);
  if (dialog instanceof HTMLDialogElement) showModally(dialog);
}

/** Closes the dialog that contains it. A form of method `dialog` needs no script and works in every browser. */
export function CloseDialog(props: ComponentProps<"button">) {
  return (
    <form method="dialog" className="contents">
      <button {...props} type="submit" />
    </form>
  );
}
