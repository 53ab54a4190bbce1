import { useSyncExternalStore } from "react";

const never = () => () => {};

/** Whether scripts have taken over the page: false on the server and while the browser hydrates. */
export const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
