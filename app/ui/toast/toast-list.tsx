import { useEffect } from "react";
import { toast as raise, Toaster as Sonner } from "sonner";
import { Icon } from "../icon.tsx";
import { receiveToasts, type Toast } from "./toast.ts";

const ICONS = {
  success: <Icon name="done" className="size-4.5 text-good" />,
  error: <Icon name="alert" className="size-4.5 text-bad" />,
};

/**
 * The toasts on the page: 4 s each, three at once, 356 px wide, 14 px apart (product specification, section 9). In the
 * middle, since what leads on from a list stands at its end.
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
        // They cannot be pressed, and the header keeps their words. Typed with Alt, a letter would lead away from a field.
        hotkey={[]}
      />
      <Receiver />
    </>
  );
}

/** In milliseconds: what comes together with the list is no change of it, and only changes are read out. */
const HEAD_START = 150;

/** After the list, so that the list is known, and listens, when this begins to receive. */
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
