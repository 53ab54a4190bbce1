import { useEffect } from "react";
import { useEvents } from "../outcome/use-events.ts";
import { passOnSessionNews, followSession } from "./session-news.ts";

/** Checks for session events and passes them on. */
export function PassOnSessionNews() {
  useEvents(passOnSessionNews);
  return null;
}

/** Reloads a visitor's page when somebody signs in in another tab: the server knows where members belong. */
export function FollowAsVisitor() {
  useEffect(
    () =>
      followSession((event) => {
        if (event === "SIGNED_IN") location.reload();
      }),
    [],
  );
  return null;
}
