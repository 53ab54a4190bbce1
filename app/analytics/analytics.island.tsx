import { useEffect } from "react";
import { useLocation } from "react-router";
import { useEvents } from "../outcome/use-events.ts";
import { ConsentStrip } from "./consent-strip.tsx";
import { consumeActionEvents, track } from "./events.ts";
import { startTagManager } from "./tag-manager.ts";
import { useConsent } from "./use-consent.ts";

/** Asks for consent, or measures once it is given. */
export function AnalyticsIsland({ gtmId }: { gtmId: string }) {
  const consent = useConsent();
  if (consent === undefined) return <ConsentStrip />;
  return consent === "granted" ? <Measure gtmId={gtmId} /> : null;
}

function Measure({ gtmId }: { gtmId: string }) {
  const { pathname } = useLocation();

  useEffect(() => startTagManager(gtmId), [gtmId]);
  useEffect(() => track({ event: "page_view", page_path: pathname, page_title: document.title }), [pathname]);
  useEvents(trackActions);
  return null;
}

const trackActions = (names?: readonly string[]) => consumeActionEvents(names).forEach(track);
