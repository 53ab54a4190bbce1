import { useEffect, useState } from "react";
import { useLocation, useNavigation } from "react-router";
import { expectAnswer, useConnection, type Connection } from "../cache/connection.ts";
import { Icon } from "../ui/icon.tsx";
import { noteSending } from "./hold-forms.ts";
import { stayWhileOffline, type Stayed } from "./stay-while-offline.ts";

/** What is said while no answers come. */
const TEXTS: Record<Connection, [what: string, comfort: string]> = {
  online: ["", ""],
  offline: ["You are offline", ". What you see may be out of date."],
  unreachable: [
    "The server does not answer",
    ". Pages you have opened still work, and what you type is kept. Trying again…",
  ],
};
/** In place of the comfort, to whoever has just followed a link or sent a form. */
const STAYED: Record<Stayed["by"], string> = {
  link: ". You can open that page once this message goes.",
  form: ", so nothing was sent. What you typed is kept: send it once this message goes.",
};

/**
 * Says that no answers come, for as long as none do. It lies over the page, below which base.css leaves room where the
 * window is narrow, and clicks pass through. There before it has anything to say, so that what it says is read out.
 */
export function OfflineBanner() {
  const connection = useConnection();
  const { pathname } = useLocation();
  const [stayed, setStayed] = useState<Stayed | null>(null);
  useEffect(() => stayWhileOffline(pathname, setStayed), [pathname]);
  // That a link or a form had to stay is forgotten as soon as the connection changes.
  useEffect(() => (connection === "online" ? undefined : () => setStayed(null)), [connection]);
  const { state, formMethod } = useNavigation();
  const isUnderWay = state !== "idle";
  useEffect(() => (isUnderWay ? expectAnswer() : undefined), [isUnderWay]);
  useEffect(() => noteSending(formMethod === "POST"), [formMethod]);

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
