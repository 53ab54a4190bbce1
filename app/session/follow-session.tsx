import { useEffect } from "react";
import { useNavigation } from "react-router";
import { passOnSessionNews, followSession } from "./session-news.ts";

/** Looks for events after the page has loaded and after every form and every move to another page. */
export function PassOnSessionNews() {
  const { state } = useNavigation();
  useEffect(() => {
    if (state === "idle") passOnSessionNews();
  }, [state]);
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
