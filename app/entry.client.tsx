import { StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { isBelowFloor } from "./page/browser-floor.tsx";
import { GuardedContext } from "./ui/guard.tsx";

if (!isBelowFloor()) start();

function start() {
  if (!("closedBy" in HTMLDialogElement.prototype)) void closeByPressOutside();

  // Not in a transition: a press in the middle of one throws away what is done, and begins again.
  hydrateRoot(
    document,
    <StrictMode>
      <GuardedContext value={"guarded" in document.documentElement.dataset}>
        <HydratedRouter />
      </GuardedContext>
    </StrictMode>,
  );
}

async function closeByPressOutside() {
  (await import("./ui/light-dismiss.ts")).closeByPressOutside();
}
