import { useEffect } from "react";
import { useLocation, useNavigation } from "react-router";
import { ConsentStrip } from "./consent-strip.tsx";
import { takeActionEvents, track } from "./events.ts";
import { startTagManager } from "./tag-manager.ts";
import { useConsent } from "./use-consent.ts";

/** The question, or with consent what measures. */
export function AnalyticsIsland({ gtmId }: { gtmId: string }) {
  const consent = useConsent();
  if (consent === undefined) return <ConsentStrip />;
  return consent === "granted" ? <Measure gtmId={gtmId} /> : null;
}

function Measure({ gtmId }: { gtmId: string }) {
  const { pathname } = useLocation();
  const { state } = useNavigation();

  useEffect(() => startTagManager(gtmId), [gtmId]);
  useEffect(() => track({ event: "page_view", page_path: pathname, page_title: document.title }), [pathname]);
  useEffect(() => {
    if (state === "idle") takeActionEvents().forEach(track);
  }, [state]);
  return null;
}
