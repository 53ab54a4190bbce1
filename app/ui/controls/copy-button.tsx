import { useEffect, useRef, useState, type ComponentProps, type ReactNode } from "react";
import { showToast } from "../toast/toast.ts";

const FEEDBACK = 2000;

/** Whether something has just been copied, for 2 s (product specification, section 9), and what copies it. */
export function useCopy(): [copied: boolean, copy: (text: string) => Promise<boolean>] {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  async function copy(text: string) {
    // Refused without permission or outside https: the text stays selectable, so nothing is claimed.
    const done = await writeToClipboard(text);
    if (done) {
      setCopied(true);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setCopied(false), FEEDBACK);
    }
    return done;
  }
  return [copied, copy];
}

async function writeToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

type CopyButtonProps = Omit<ComponentProps<"button">, "children" | "onClick" | "onCopy"> & {
  text: string;
  children: (copied: boolean) => ReactNode;
  /** Called after the text is on the clipboard. */
  onCopied?: () => void;
};

/** Also where there is no https. */
const sayRefused = () => showToast("Your browser did not allow copying.", { tone: "error" });

/** Copies a text. Not shown without scripting, where it could do nothing: show the text itself beside it. */
export function CopyButton({ text, children, onCopied, className = "", ...props }: CopyButtonProps) {
  const [copied, copy] = useCopy();
  return (
    <>
      <button
        {...props}
        type="button"
        className={`${className} noscript:hidden`.trimStart()}
        onClick={async () => ((await copy(text)) ? onCopied?.() : sayRefused())}
      >
        {children(copied)}
      </button>
      <output className="sr-only">{copied ? "Copied to clipboard" : ""}</output>
    </>
  );
}
