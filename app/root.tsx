import geistMono from "@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2?url";
import geist from "@fontsource-variable/geist/files/geist-latin-wght-normal.woff2?url";
import { use, useEffect, type ReactNode } from "react";
import { data, Meta, Outlet, useRouteLoaderData } from "react-router";
import type { Route } from "./+types/root";
import { Analytics } from "./analytics/analytics.tsx";
import { measuringContext } from "./analytics/measuring.ts";
import { AUTH_EVENT } from "./api/auth-event.ts";
import { demoContext, sessionContext } from "./page/context.ts";
import { RelaySessionEvents } from "./session/follow-session.tsx";
import { brand } from "../brand.ts";
import { ErrorPage } from "./frame/error-page.tsx";
import { Notes } from "./outcome/notes.tsx";
import { expiredEventCookies, listEvents, readNotes } from "./outcome/outcome.ts";
import { forwardRetryAfter } from "./forms/receive.ts";
import { MobileGate } from "./frame/mobile-card.tsx";
import { OfflineBanner } from "./frame/offline-banner.tsx";
import { BrowserFloor } from "./page/browser-floor.tsx";
import { FollowLinks } from "./page/follow-links.tsx";
import { redirectByHeaders } from "./page/redirect-by-headers.ts";
import { nameRoute } from "./page/name-route.ts";
import { pageMeta } from "./page/page-meta.ts";
import { DEFAULT_PREFERENCES, readPreferences } from "./page/preferences.ts";
import { markAlive } from "./page/problem.ts";
import { requestContext } from "./page/request-context.ts";
import { RestoreScroll } from "./page/restore-scroll.tsx";
import { StartScript } from "./page/start-script.tsx";
import { UnscriptedContext } from "./page/unscripted.ts";
import { ThemeContext, ThemeScript, useTheme } from "./page/theme.tsx";
import stylesheet from "./styles.css?url";
import { GuardedContext } from "./ui/guard.tsx";
import { ProgressBar } from "./ui/progress-bar.tsx";
import { Toaster } from "./ui/toast/toaster.tsx";

export const middleware: Route.MiddlewareFunction[] = [nameRoute, redirectByHeaders];

/** For addresses that are not a page, and for when none can be shown. Each page has its own title. */
export const meta = pageMeta();

export function loader({ request, context }: Route.LoaderArgs) {
  const { requestId } = context.get(requestContext);
  const { gtmId, consent } = context.get(measuringContext);
  const measuring = gtmId ? { gtmId, consent } : null;
  const cookies = request.headers.get("Cookie") ?? "";
  const { messages: notes, forget } = readNotes(cookies);
  const events = listEvents(cookies);
  // The session of the sign-in is already over. A page that loaded once more for the event would lose the reason.
  if (!context.get(sessionContext).session) forget.push(...expiredEventCookies(AUTH_EVENT, "SIGNED_IN", cookies));
  return data(
    { ...readPreferences(request), requestId, demo: context.get(demoContext), measuring, notes, events },
    { headers: forget.map((line): [string, string] => ["Set-Cookie", line]) },
  );
}

export const headers = forwardRetryAfter;

/** The preferences of the first byte hold for the document. The browser makes later changes itself. */
export const shouldRevalidate = () => false;

export function Layout({ children }: { children: ReactNode }) {
  const root = useRouteLoaderData<typeof loader>("root");
  const { theme, mobileContinued } = root ?? DEFAULT_PREFERENCES;
  // A browser that runs this has scripts.
  const hasScripts = !import.meta.env.SSR || !use(UnscriptedContext);
  useEffect(markAlive, []);
  return (
    // The script in the head may have changed the theme before hydration.
    <html lang="en" data-theme={theme} data-guarded={use(GuardedContext) || undefined} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={theme} suppressHydrationWarning />
        <meta name="theme-color" content={brand.themeColor[theme]} suppressHydrationWarning />
        <ThemeScript rendered={theme} />
        {/* Every document has these. The router's `Links` would ask each of its routes for them, here and in the
            browser. */}
        <link rel="stylesheet" href={stylesheet} />
        <link rel="preload" href={geist} as="font" type="font/woff2" crossOrigin="anonymous" />
        <link rel="preload" href={geistMono} as="font" type="font/woff2" crossOrigin="anonymous" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <Meta />
      </head>
      <body>
        <ThemeContext value={theme}>
          <BrowserFloor />
          <ProgressBar />
          <FollowLinks />
          <Notes arrived={root?.notes}>
            <MobileGate continued={mobileContinued}>{children}</MobileGate>
          </Notes>
          <OfflineBanner />
          <Toasts />
          <Analytics />
          {/* After the components that listen to them. */}
          <RelaySessionEvents />
        </ThemeContext>
        {hasScripts && <RestoreScroll />}
        {hasScripts && <StartScript />}
      </body>
    </html>
  );
}

function Toasts() {
  return <Toaster theme={useTheme()} />;
}

export default function App() {
  return <Outlet />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorPage error={error} />;
}
