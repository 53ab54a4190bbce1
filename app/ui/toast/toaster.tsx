import { useEffect, useState, useSyncExternalStore, type ComponentType } from "react";
import { listRaised, watchToasts } from "./toast.ts";

type Theme = { theme: "light" | "dark" };

const isWanted = () => listRaised().length > 0;
const never = () => false;

/** Where toasts appear, once there is one. Raise them with showToast (toast.ts). */
export function Toaster({ theme }: Theme) {
  const wanted = useSyncExternalStore(watchToasts, isWanted, never);
  const [List, setList] = useState<ComponentType<Theme> | null>(null);
  useEffect(() => (wanted ? loadList((list) => setList(() => list)) : undefined), [wanted]);
  return List && <List theme={theme} />;
}

/** How soon what could not be loaded is asked for again, in milliseconds. */
const RETRY_MS = 5000;

/** Loads the list, however often that takes: who is offline gets their toasts later, and keeps the page until then. */
function loadList(onLoad: (list: ComponentType<Theme>) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let ended = false;
  async function load() {
    try {
      const { ToastList } = await import("./toast-list.tsx");
      if (!ended) onLoad(ToastList);
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
