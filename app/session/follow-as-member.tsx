import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { refreshReads } from "../cache/query-client.ts";
import { EXPIRED } from "../api/auth-event.ts";
import { watchSignOuts, leaveSignedOut } from "./session-end.ts";
import { watchSession } from "./session-events.ts";

/** Reacts to session events on a member's page: leaves with its session, and reads again what has changed. */
export function FollowAsMember() {
  const cache = useQueryClient();
  useEffect(watchSignOuts, []);
  useEffect(
    () =>
      watchSession((event, about) => {
        if (event === "SIGNED_OUT") leaveSignedOut(about === EXPIRED ? "ended" : "signed-out");
        if (event === "USER_UPDATED") void refreshReads(cache, "account", "wallet");
        if (event === "TOKEN_REFRESHED") void refreshReads(cache, event);
      }),
    [cache],
  );
  return null;
}
