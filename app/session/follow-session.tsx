import { useEffect } from "react";
import { useEvents } from "../outcome/use-events.ts";
import { relaySessionEvents, watchSession } from "./session-events.ts";

/** Checks for session events and passes them on. */
export function RelaySessionEvents() {
  useEvents(relaySessionEvents);
  return null;
}

/** Reloads a visitor's page when somebody signs in in another tab: the server knows where members belong. */
export function FollowAsVisitor() {
  useEffect(
    () =>
      watchSession((event) => {
        if (event === "SIGNED_IN") location.reload();
      }),
    [],
  );
  return null;
}
