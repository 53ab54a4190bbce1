import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { useConnection, type Connection } from "../cache/connection.ts";
import { Icon } from "../ui/icon.tsx";
import { stayWhileOffline } from "./stay-while-offline.ts";

const TEXTS: Record<Connection, string | null> = {
  online: null,
  offline: "You are offline. What you see may be out of date.",
  unreachable: "The server does not answer. Trying again…",
};
const STAYED = "You are offline. That works once you are back.";

/**
 * Says that no answers come, for as long as none do. It lies over the page and takes no room in it, and clicks pass
 * through. There before it has anything to say, so that what it says is read out.
 */
export function OfflineBanner() {
  const connection = useConnection();
  const { pathname } = useLocation();
  const [stayedAt, setStayedAt] = useState<string | null>(null);
  useEffect(() => stayWhileOffline(pathname, setStayedAt), [pathname]);
  const text = connection === "offline" && stayedAt === pathname ? STAYED : TEXTS[connection];

  return (
    <output className="pointer-events-none fixed inset-x-0 bottom-0 z-40 grid justify-items-center px-4">
      {text && (
        <span className="mb-5 flex items-center gap-2.5 rounded-card bg-surface px-4 py-3 text-cell shadow-float forced-colors:border">
          <Icon name="alert" className="size-4.5 shrink-0 text-warn" />
          {text}
        </span>
      )}
    </output>
  );
}
