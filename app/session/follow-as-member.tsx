import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { refreshReads } from "../cache/query-client.ts";
import { followSession } from "./session-news.ts";

/** What a member's page makes of events: it leaves with its session, and reads again what has changed. */
export function FollowAsMember() {
  const cache = useQueryClient();
  useEffect(
    () =>
      followSession((event) => {
        // The server knows where a page without a session leads.
        if (event === "SIGNED_OUT") location.reload();
        if (event === "USER_UPDATED" || event === "TOKEN_REFRESHED") void refreshReads(cache, event);
      }),
    [cache],
  );
  return null;
}
