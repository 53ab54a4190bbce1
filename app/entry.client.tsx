import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";

if (!("closedBy" in HTMLDialogElement.prototype)) void closeByPressOutside();

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});

async function closeByPressOutside() {
  (await import("./ui/light-dismiss.ts")).closeByPressOutside();
}
