import { useId, useState, useSyncExternalStore } from "react";
import { Icon } from "../icon.tsx";
import { Tooltip } from "../tooltip.tsx";
import { raised } from "./toast.ts";

/** A button that opens a list of past toasts. */
export function MessageList() {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const toasts = useSyncExternalStore(raised.subscribe, raised.get);
  return (
    <>
      <Tooltip text="Messages">
        <button type="button" aria-label="Messages" popoverTarget={id} className="icon-button">
          <Icon name="bell" className="size-3.5" />
        </button>
      </Tooltip>
      <section
        id={id}
        popover="auto"
        aria-label="Messages"
        onToggle={({ newState }) => setOpen(newState === "open")}
        className="message-list inset-auto top-16 right-4 max-h-[60dvh] w-80 max-w-[calc(100%-2rem)] overflow-y-auto rounded-card bg-surface p-4 text-ink shadow-float forced-colors:border"
      >
        {isOpen && (
          <ul className="grid gap-2.5">
            {toasts.map(({ id, text, tone }) => (
              <li key={id} className={tone === "error" ? "text-bad" : undefined}>
                {text}
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  );
}
