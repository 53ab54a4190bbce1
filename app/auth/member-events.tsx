import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { ReadName } from "../api/reads.ts";
import { watchAuthEvents } from "./auth-channel.ts";
import type { AuthEvent } from "./auth-event.ts";

const STALE_AFTER: Partial<Record<AuthEvent, ReadName[]>> = {
  USER_UPDATED: [
    "user",
    "sessions",
    "security-activity",
    "campaign-mail",
    "wallet-change-eligibility",
    "smart-id-requirements",
  ],
  TOKEN_REFRESHED: ["sessions"],
};

/** What a member's page makes of events: it leaves with its session, and reads again what has changed. */
export function MemberEvents() {
  const cache = useQueryClient();
  useEffect(
    () =>
      watchAuthEvents((event) => {
        // The server knows where a page without a session leads.
        if (event === "SIGNED_OUT") location.reload();
        for (const name of STALE_AFTER[event] ?? []) void cache.invalidateQueries({ queryKey: [name] });
      }),
    [cache],
  );
  return null;
}
