import { useEffect, useState, useSyncExternalStore } from "react";
import type * as ToastParts from "./toast-parts.ts";
import { raised } from "./toast.ts";

type Parts = typeof ToastParts;

const isWanted = () => raised.get().length > 0;
const never = () => false;

/** Where toasts appear, once there is one. Raise them with showToast (toast.ts). */
export function Toaster({ theme }: { theme: "light" | "dark" }) {
  const parts = useParts();
  return parts && <parts.ToastList theme={theme} />;
}

/** The list of past toasts, for readers who need longer than toasts stay (WCAG 2.2.1). Absent before the first one. */
export function Messages() {
  const parts = useParts();
  return parts && <parts.MessageList />;
}

function useParts(): Parts | null {
  const wanted = useSyncExternalStore(raised.subscribe, isWanted, never);
  const [parts, setParts] = useState<Parts | null>(null);
  useEffect(() => (wanted ? loadParts(setParts) : undefined), [wanted]);
  return parts;
}

/** How long to wait before loading again after a failure, in milliseconds. */
const RETRY_MS = 5000;

/**
 * Loads the parts, and retries until it succeeds. A reader who is offline gets the toasts later, and keeps the page
 * until then. Returns a function that stops this.
 */
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
