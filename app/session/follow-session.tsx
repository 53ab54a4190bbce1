import { useEffect } from "react";
import { useEvents } from "../outcome/use-events.ts";
import { passOnSessionNews, followSession } from "./session-news.ts";

/** Looks for news of the session. */
export function PassOnSessionNews() {
  useEvents(passOnSessionNews);
  return null;
}

/** A visitor's page is not for who has signed in in another tab: the server knows where they belong. */
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
