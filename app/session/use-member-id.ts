import { useRouteLoaderData } from "react-router";

/**
 * Returns the id of the member whose page this is. It is empty if the session does not know it, and null on a visitor's
 * page.
 */
export const useMemberId = (): string | null => useRouteLoaderData<{ member: string | null }>("shell")?.member ?? null;
