import { useEffect, useRef, useState } from "react";
import { useTheme } from "../page/theme.tsx";
import { MISSING_CHECK } from "./missing-check.ts";

/** What we use of https://developers.cloudflare.com/turnstile/get-started/client-side-rendering/ */
type TurnstileApi = {
  render: (container: HTMLElement, options: Record<string, string>) => string | undefined;
  remove: (widgetId: string) => void;
};

declare global {
  interface Window {
    turnstile?: TurnstileApi;
  }
}

const SCRIPT = "https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit";

type TurnstileProps = {
  siteKey: string;
  /** A new object for each response of the server. A token is good for one submission, so each gets its own widget. */
  attempt: object;
};

/** Cloudflare's widget, which adds its token to the form around it. Needs a script, and says so. */
export function Turnstile({ siteKey, attempt }: TurnstileProps) {
  const container = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  const [isMissing, setIsMissing] = useState(false);

  useEffect(() => {
    let widget: string | undefined;
    let isOver = false;
    const options = { sitekey: siteKey, theme, "response-field-name": "turnstileToken", size: "flexible" };
    async function show() {
      try {
        const turnstile = await loadTurnstile();
        setIsMissing(false);
        if (!isOver && container.current) widget = turnstile.render(container.current, options);
      } catch {
        // Blocked or out of reach: the reader can do something about either.
        setIsMissing(true);
      }
    }
    void show();
    return () => {
      isOver = true;
      if (widget !== undefined) window.turnstile?.remove(widget);
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another attempt takes another token
  }, [siteKey, theme, attempt]);

  return (
    <>
      <div ref={container} className="min-h-16.25 noscript:hidden" />
      <p className="hidden text-small text-ink-2 noscript:block">
        This form is protected by a check that needs JavaScript. Turn JavaScript on to continue.
      </p>
      <p role="alert" className="text-small text-bad empty:hidden">
        {isMissing ? MISSING_CHECK : null}
      </p>
    </>
  );
}

let loading: Promise<TurnstileApi> | undefined;

/** Loads Cloudflare's script once per page, and again after it has failed to load. */
function loadTurnstile(): Promise<TurnstileApi> {
  loading ??= new Promise<TurnstileApi>((resolve, reject) => {
    const script = document.createElement("script");
    script.src = SCRIPT;
    script.async = true;
    script.addEventListener("load", () => (window.turnstile ? resolve(window.turnstile) : reject(new Error(SCRIPT))));
    script.addEventListener("error", () => reject(new Error(SCRIPT)));
    document.head.append(script);
  }).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}
