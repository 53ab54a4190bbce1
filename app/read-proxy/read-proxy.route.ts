import { READS } from "./reads.ts";
import type { Route } from "./+types/read-proxy.route";
import { ApiError } from "../api/api-error.ts";
import { MEMBER_HEADER } from "../cache/browser-read.ts";
import { apiContext } from "../page/context.ts";
import { respondToScript, isForMember, NO_STORE, NO_TOKEN, refuse, refuseMethod } from "../page/json-response.ts";

/** Serves the browser's reads: only named GETs. It adds the bearer token here, where JavaScript cannot see it. */
export async function loader({ request, params, url, context }: Route.LoaderArgs): Promise<Response> {
  const definition = READS.get(params["*"]);
  if (!definition) return refuse(new ApiError("There is nothing to read at this address.", "NOT_FOUND", 404));

  return respondToScript(context, async () => {
    if (!isForMember(context, request.headers.get(MEMBER_HEADER))) throw NO_TOKEN;
    const query = pickParams(definition.params, url);
    return Response.json(await definition.source(context.get(apiContext), query), { headers: NO_STORE });
  });
}

/** Refuses every method but GET, and HEAD, which the loader handles. */
export const action = refuseMethod;

function pickParams(names: readonly string[], { searchParams }: URL): never {
  const given = names.flatMap((name) => {
    const value = searchParams.get(name);
    return value === null ? [] : [[name, value]];
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- text for an address, which the API checks
  return Object.fromEntries(given) as never;
}
