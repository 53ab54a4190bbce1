import { areFreshOnceSettled, getBrowserQueryClient, type AnyRead } from "../cache/query-client.ts";
import type { DehydratedReads } from "../cache/hydrate-reads.tsx";
import type { Read } from "../cache/read.ts";
import { userQuery } from "../member/reads.ts";
import { compareClocks } from "../ui/clock.ts";

type ClientLoaderArgs<Loaded> = { request: Request; serverLoader: () => Promise<Loaded> };

/**
 * Loads a member's page in the browser. Shows it without a request while its reads, and the member that the shell
 * shows, are fresh. `show` makes what else the page gets, from the query of its address.
 */
export async function loadUnlessFresh<Loaded extends { reads: DehydratedReads | null }, Shown>(
  { request, serverLoader }: ClientLoaderArgs<Loaded>,
  reads: (read: Read, params: URLSearchParams) => readonly AnyRead[],
  show: (params: URLSearchParams) => Shown,
): Promise<Loaded | (Shown & { reads: null })> {
  const { searchParams } = new URL(request.url);
  const list = (read: Read) => [userQuery(read), ...reads(read, searchParams)];
  if (await areFreshOnceSettled(getBrowserQueryClient(), list)) return { ...show(searchParams), reads: null };
  const asked = Date.now();
  const loaded = await serverLoader();
  if (loaded.reads) compareClocks(loaded.reads.at, asked);
  return loaded;
}
