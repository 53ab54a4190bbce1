import { redirect } from "react-router";
import { ApiError } from "../api/api-error.ts";
import type { DehydratedReads } from "../cache/hydrate-reads.tsx";
import type { ApiClient } from "../client/client.ts";
import { apiContext, type PageContext } from "./context.ts";
import { requestContext } from "./request-context.ts";
import type { Read } from "../cache/read.ts";
import { userQuery } from "../member/reads.ts";
import type { ListReads } from "./page-description.ts";

/**
 * A read's options, as its definition makes them. On the server each is tried once, because someone waits for the page.
 */
export type PageRead<Data = unknown> = {
  queryKey: readonly unknown[];
  queryFn: (call: { signal: AbortSignal }) => Promise<Data>;
};

/** What the loaders of one request read. Each read happens once. */
export type PageReads = {
  /** How to read. Pass it to a read's definition. */
  read: Read;
  /** When reading began, in milliseconds. */
  at: number;
  get: <Data>(options: PageRead<Data>) => Promise<Data>;
  /** Reads again. From then on, `get` returns the new result. */
  refresh: <Data>(options: PageRead<Data>) => Promise<Data>;
};

const readsOf = new WeakMap<PageContext, PageReads>();

/** Returns the reads of a request. Loaders that run side by side for one page share them. */
export function getPageReads(context: PageContext): PageReads {
  const known = readsOf.get(context);
  if (known) return known;
  const at = Date.now();
  context.get(requestContext).oneTime?.push(String(at));
  const reads = createPageReads(createServerRead(context.get(apiContext)), at);
  readsOf.set(context, reads);
  return reads;
}

const createServerRead =
  (api: ApiClient): Read =>
  (definition, query) =>
    definition.source(api, query);

function createPageReads(read: Read, at: number): PageReads {
  const { signal } = new AbortController();
  const answers = new Map<string, Promise<unknown>>();

  function refresh<Data>({ queryKey, queryFn }: PageRead<Data>): Promise<Data> {
    const answer = queryFn({ signal });
    answers.set(JSON.stringify(queryKey), answer);
    return answer;
  }
  return {
    read,
    at,
    refresh,
    get<Data>(options: PageRead<Data>) {
      const known = answers.get(JSON.stringify(options.queryKey));
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one key is always one read
      return known ? (known as Promise<Data>) : refresh(options);
    },
  };
}

/**
 * Waits for reads. If some fail, the page says so in their place. Throws if the API refuses the access token, or if
 * every read has failed.
 */
export async function settleReads({ get }: PageReads, list: PageRead[]): Promise<void> {
  const results = await Promise.allSettled(list.map((options) => get(options)));
  const failures = results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []));
  const refusal = failures.find(isRefusedToken);
  if (refusal) throw refusal;
  if (failures.length > 0 && failures.length === list.length) throw failures[0];
}

/** Reads what a member's page shows, and the member for its shell. Returns the page's reads for the browser. */
export async function readForPage(
  context: PageContext,
  url: URL,
  page: { reads: ListReads },
): Promise<DehydratedReads> {
  const reads = getPageReads(context);
  const list = page.reads(reads.read, url.searchParams);
  await settleReads(reads, [userQuery(reads.read), ...list]);
  return dehydrateReads(reads, list);
}

type Paged = { pagination?: { totalPages?: number } } | null;

/**
 * Redirects to the last page of a list if the requested page lies beyond it. If the last page is unknown, allows any.
 */
export async function redirectToLastPage(
  context: PageContext,
  list: (read: Read) => PageRead<Paged>,
  page: number,
  hrefFor: (page: number) => string,
): Promise<void> {
  const { get, read } = getPageReads(context);
  // If the list cannot be read, the page says so in its place.
  const known = await get(list(read)).catch(() => null);
  const pages = known?.pagination?.totalPages;
  const last = typeof pages === "number" ? Math.max(1, Math.ceil(pages)) : Infinity;
  if (page > last) throw redirect(hrefFor(last));
}

/** Returns the results of these reads for the browser. Leaves out those that failed. */
export async function dehydrateReads({ at, get }: PageReads, list: readonly PageRead[]): Promise<DehydratedReads> {
  const results = await Promise.allSettled(
    list.map(async (options) => [options.queryKey, await get(options)] as const),
  );
  const reads = results.flatMap((result): DehydratedReads["reads"] =>
    result.status === "fulfilled" ? [[...result.value]] : [],
  );
  return { at, reads };
}

/** Returns whether the API no longer accepts the access token. */
export function isRefusedToken(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}
