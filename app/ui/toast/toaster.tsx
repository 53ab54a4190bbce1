import { useEffect, useState, useSyncExternalStore } from "react";
import type * as ToastParts from "./toast-parts.ts";
import { listRaised, watchToasts } from "./toast.ts";

type Parts = typeof ToastParts;

const isWanted = () => listRaised().length > 0;
const never = () => false;

/** Where toasts appear, once there is one. Raise them with showToast (toast.ts). */
export function Toaster({ theme }: { theme: "light" | "dark" }) {
  const parts = useParts();
  return parts && <parts.ToastList theme={theme} />;
}

/** What toasts have said, for who needs longer than they stay (WCAG 2.2.1). Not there before the first one. */
export function Messages() {
  const parts = useParts();
  return parts && <parts.MessageList />;
}

function useParts(): Parts | null {
  const wanted = useSyncExternalStore(watchToasts, isWanted, never);
  const [parts, setParts] = useState<Parts | null>(null);
  useEffect(() => (wanted ? loadParts(setParts) : undefined), [wanted]);
  return parts;
}

/** How soon what could not be loaded is asked for again, in milliseconds. */
const RETRY_MS = 5000;

/** Loads them, however often that takes: who is offline gets their toasts later, and keeps the page until then. */
function loadParts(onLoad: (parts: Parts) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let ended = false;
  async function load() {
    try {
      const parts = await import("./toast-parts.ts");
      if (!ended) onLoad(parts);
    } catch {
      if (!ended) timer = setTimeout(() => void load(), RETRY_MS);
    }
  }
  void load();
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}
