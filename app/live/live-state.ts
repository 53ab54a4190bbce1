import { useSyncExternalStore } from "react";
import { createStore } from "../ui/store.ts";

/** Whether live news arrives, in this tab or through another one. */
export const live = createStore(false);

/** Returns whether live news arrives. If not, whatever must be current has to ask. */
export const useLive = (): boolean => useSyncExternalStore(live.subscribe, live.get, () => false);
