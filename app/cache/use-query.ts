import { useQuery as useObservedQuery, type UseQueryOptions, type UseQueryResult } from "@tanstack/react-query";
import { useDehydrated } from "./hydrate-reads.tsx";

type Answer<Data> = Pick<UseQueryResult<Data>, "data" | "error" | "isError" | "isFetching" | "isSuccess" | "refetch">;

/**
 * Returns the data of a read, and keeps it current in the browser. The server renders a page only once, so there it
 * returns what the loaders have read, without an observer for each use. Observers took a seventh of the rendering time.
 */
export const useQuery: <Result, Data = Result, Key extends readonly unknown[] = readonly unknown[]>(
  options: UseQueryOptions<Result, Error, Data, Key>,
) => Answer<Data> = import.meta.env.SSR ? useDehydratedQuery : useObservedQuery;

function useDehydratedQuery<Result, Data, Key extends readonly unknown[]>({
  enabled,
  queryKey,
  select,
}: UseQueryOptions<Result, Error, Data, Key>): Answer<Data> {
  const carried = useDehydrated(queryKey);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one key is always one read, and without `select` its data is the response
  const data = (carried === undefined || !select ? carried : select(carried as Result)) as Data | undefined;
  const isSuccess = data !== undefined;
  return { data, error: null, isError: false, isFetching: !isSuccess && enabled !== false, isSuccess, refetch: refuse };
}

const refuse = () => Promise.reject(new Error("On the server nothing is read twice."));
