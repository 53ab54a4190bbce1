import { useEffect, useState } from "react";
import { useLocation, useNavigation } from "react-router";
import { checkServerWhileLate, useConnection, type Connection } from "../cache/connection.ts";
import { Icon } from "../ui/icon.tsx";
import { setSubmitting } from "./defer-submission.ts";
import { blockWhileOffline, type BlockedAction } from "./block-while-offline.ts";

/** What to say while the server cannot be reached. */
const TEXTS: Record<Connection, [what: string, comfort: string]> = {
  online: ["", ""],
  offline: ["You are offline", ". What you see may be out of date."],
  unreachable: [
    "The server does not answer",
    ". Pages you have opened still work, and what you type is kept. Trying again…",
  ],
};
/** What replaces the comfort after the reader has followed a link or sent a form. */
const STAYED: Record<BlockedAction["by"], string> = {
  link: ". You can open that page once this message goes.",
  form: ", so nothing was sent. What you typed is kept: send it once this message goes.",
};

/**
 * Says that the server cannot be reached, for as long as that is so. The banner lies over the page and lets clicks
 * through; base.css leaves room for it where the window is narrow. Rendered before it has any text, so that screen
 * readers announce the text.
 */
export function OfflineBanner() {
  const connection = useConnection();
  const { pathname } = useLocation();
  const [stayed, setStayed] = useState<BlockedAction | null>(null);
  useEffect(() => blockWhileOffline(pathname, setStayed), [pathname]);
  // A change of the connection clears the note about a link or a form that had to stay.
  useEffect(() => (connection === "online" ? undefined : () => setStayed(null)), [connection]);
  const { state, formMethod } = useNavigation();
  const isUnderWay = state !== "idle";
  useEffect(() => (isUnderWay ? checkServerWhileLate() : undefined), [isUnderWay]);
  useEffect(() => setSubmitting(formMethod === "POST"), [formMethod]);

  const [what, comfort] = TEXTS[connection];
  const text = what + (what && stayed?.on === pathname ? STAYED[stayed.by] : comfort);
  return (
    <output className="offline-banner">
      {text && (
        <span key={text} className="offline-note">
          <Icon name="alert" className="size-4.5 shrink-0 text-warn" />
          {text}
        </span>
      )}
    </output>
  );
}
