import { Suspense, use, type ReactNode } from "react";
import { GuardedContext } from "../ui/guard.tsx";

/** Hydrates after what is around it, so that a first press there has less to wait for. */
export function HydrateLater({ children }: { children: ReactNode }) {
  return use(GuardedContext) ? children : <Suspense>{children}</Suspense>;
}
