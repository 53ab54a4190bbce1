import { useRouteLoaderData } from "react-router";

/** The id of the member whose page this is; empty when the session does not know it, null on a visitor's page. */
export const useMemberId = (): string | null => useRouteLoaderData<{ member: string | null }>("shell")?.member ?? null;
