import { lazy, Suspense, useSyncExternalStore } from "react";
import { hasToasts, watchToasts } from "./toast.ts";

const ToastList = lazy(async () => ({ default: (await import("./toast-list.tsx")).ToastList }));
const never = () => false;

/** Where toasts appear, once there is one. Raise them with showToast (toast.ts). */
export function Toaster({ theme }: { theme: "light" | "dark" }) {
  const wanted = useSyncExternalStore(watchToasts, hasToasts, never);
  return (
    wanted && (
      <Suspense>
        <ToastList theme={theme} />
      </Suspense>
    )
  );
}
