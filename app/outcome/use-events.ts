import { useEffect } from "react";
import { useNavigation, useRouteLoaderData } from "react-router";

/** Whether this document has sent a form or moved to another page, so that responses are meant for it. */
let hasMoved = false;

/**
 * Calls back when there may be events to take: once the page has loaded, and after every form and every move to another
 * page. On load it passes the names of the events that came with the page. A later event belongs to the next page: the
 * reader sent a form before the scripts had loaded.
 */
export function useEvents(onEvents: (names?: readonly string[]) => void): void {
  const { state } = useNavigation();
  const arrived = useRouteLoaderData<{ events: string[] }>("root")?.events;
  useEffect(() => {
    hasMoved ||= state !== "idle";
    // Most pages load without an event. They need not wait for the browser to look up the cookies.
    if (state === "idle" && (hasMoved || arrived?.length)) onEvents(hasMoved ? undefined : arrived);
  }, [state, arrived, onEvents]);
}
