import { useEffect } from "react";
import { toast as raise, Toaster as Sonner } from "sonner";
import { Icon } from "../icon.tsx";
import { receiveToasts, type Toast } from "./toast.ts";

const ICONS = {
  success: <Icon name="done" className="size-4.5 text-good" />,
  error: <Icon name="alert" className="size-4.5 text-bad" />,
};

/**
 * The toasts on the page: 4 s each, three at once, 356 px wide, 14 px apart (product specification, section 9).
 * Centred, because the links that lead on from a list are at its end.
 */
export function ToastList({ theme }: { theme: "light" | "dark" }) {
  return (
    <>
      <Sonner
        theme={theme}
        duration={4000}
        visibleToasts={3}
        gap={14}
        position="bottom-center"
        swipeDirections={["left", "right", "bottom"]}
        dir="ltr"
        icons={ICONS}
        customAriaLabel="Notifications"
        // No hotkey: toasts cannot be pressed, and the header keeps their text. A hotkey with Alt could take the focus
        // out of a field while the reader types a letter.
        hotkey={[]}
      />
      <Receiver />
    </>
  );
}

/** How long to wait after the list has appeared, in milliseconds. Screen readers announce only what changes later. */
const HEAD_START = 150;

/** Passes toasts to the list. Rendered after the list, so that the list already listens when this begins. */
function Receiver() {
  useEffect(() => {
    let end: (() => void) | undefined;
    const timer = setTimeout(() => {
      end = receiveToasts(showInList);
    }, HEAD_START);
    return () => {
      clearTimeout(timer);
      end?.();
    };
  }, []);
  return null;
}

function showInList({ text, tone, ...options }: Toast) {
  if (tone === "plain") raise(text, options);
  else raise[tone](text, options);
}
