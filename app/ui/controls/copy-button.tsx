import { useEffect, useState, type ComponentProps, type ReactNode } from "react";
import { Icon } from "../icon.tsx";
import { showToast } from "../toast/toast.ts";

/** How long a button says that it has copied, in milliseconds (product specification, section 9). */
const FEEDBACK = 2000;

type CopyButtonProps = Omit<ComponentProps<"button">, "children" | "onClick" | "onCopy"> & {
  text: string;
  children: (copied: boolean) => ReactNode;
  /** Called once the text is on the clipboard. */
  onCopied?: () => void;
  /** Set this if a toast announces the copy to screen readers. */
  quiet?: boolean;
};

/** Copies a text. Hidden without scripting, where it could do nothing: show the text itself beside it. */
export function CopyButton({ text, children, onCopied, quiet, className = "", ...props }: CopyButtonProps) {
  /** How many times it has copied since the label was last reset. */
  const [copies, setCopies] = useState(0);
  useEffect(() => {
    const timer = copies ? setTimeout(() => setCopies(0), FEEDBACK) : undefined;
    return () => clearTimeout(timer);
  }, [copies]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // The browser denied permission, or the page is not on https. The text can still be selected.
      return showToast("Your browser did not allow copying.", { tone: "error" });
    }
    setCopies((before) => before + 1);
    onCopied?.();
  }

  return (
    <>
      <button
        {...props}
        type="button"
        className={`${className} noscript:hidden`.trimStart()}
        onClick={() => void copy()}
      >
        {children(copies > 0)}
      </button>
      {!quiet && <output className="sr-only">{copies > 0 ? "Copied to clipboard" : ""}</output>}
    </>
  );
}

/** The icon of a small copy button. */
export const copyIcon = (copied: boolean) => (
  <Icon name={copied ? "check" : "copy"} className={copied ? "size-3.5 text-good" : "size-3.5"} />
);
