import { useEffect } from "react";
import { useNavigation, useRouteLoaderData } from "react-router";

/** Whether this document has sent a form or moved on by itself, so that what is set is for it. */
let hasMoved = false;

/**
 * Calls back whenever scripts may have been told something: when the page has loaded, and after every form and every
 * move to another page. When it has loaded, with the names of the events that came with it. What was set since then is
 * for the document after it: a form was sent before its scripts came.
 */
export function useEvents(onEvents: (names?: readonly string[]) => void): void {
  const { state } = useNavigation();
  const arrived = useRouteLoaderData<{ events: string[] }>("root")?.events;
  useEffect(() => {
    hasMoved ||= state !== "idle";
    if (state === "idle") onEvents(hasMoved ? undefined : (arrived ?? []));
  }, [state, arrived, onEvents]);
}
