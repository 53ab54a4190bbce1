import type { Route } from "./+types/read-proxy.route";
import { ApiError, toApiError } from "./api-error.ts";
import { apiContext } from "./context.ts";
import { isForMember, NO_STORE, NO_TOKEN, refuse, refuseMethod } from "./proxy-answer.ts";
import type { Read, ReadName, Reads } from "./reads.ts";
import { createServerRead, READ_SOURCES } from "./server-read.ts";

/** The browser's reads: named GETs only, with the bearer token added here, where JavaScript cannot see it. */
export async function loader({ request, params, url, context }: Route.LoaderArgs): Promise<Response> {
  const name = params["*"];
  if (!isReadName(name)) return refuse(new ApiError("There is nothing to read at this address.", "NOT_FOUND", 404));

  if (!isForMember(request, context)) return refuse(NO_TOKEN);
  try {
    return Response.json(await readNamed(createServerRead(context.get(apiContext)), name, url), { headers: NO_STORE });
  } catch (error) {
    return refuse(toApiError(error));
  }
}

/** Everything but GET (and HEAD, which the loader answers). */
export function action(): Response {
  return refuseMethod();
}

function readNamed<Name extends ReadName>(read: Read, name: Name, { searchParams }: URL) {
  const allowed = READ_SOURCES[name].params.flatMap((param) => {
    const value = searchParams.get(param);
    return value === null ? [] : [[param, value]];
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- text, on its way into an address that the API checks
  return read(name, Object.fromEntries(allowed) as Reads[Name]["query"]);
}

const isReadName = (name: string): name is ReadName => Object.hasOwn(READ_SOURCES, name);
