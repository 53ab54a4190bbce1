import type { Route } from "./+types/read-proxy.route";
import { ApiError, toApiError } from "./api-error.ts";
import { MEMBER_HEADER } from "./browser-read.ts";
import { apiContext, sessionContext } from "./context.ts";
import type { Read, ReadName, Reads } from "./reads.ts";
import { createServerRead, READ_SOURCES } from "./server-read.ts";

const NO_STORE = { "Cache-Control": "no-store" };

/** The browser's reads: named GETs only, with the bearer token added here, where JavaScript cannot see it. */
export async function loader({ request, params, url, context }: Route.LoaderArgs): Promise<Response> {
  const name = params["*"];
  if (!isReadName(name)) return refuse(new ApiError("There is nothing to read at this address.", "NOT_FOUND", 404));

  const { session } = context.get(sessionContext);
  const asked = request.headers.get(MEMBER_HEADER);
  if (!session || (asked !== null && asked !== (session.userId ?? ""))) {
    return refuse(new ApiError("No access token provided", "UNAUTHENTICATED", 401));
  }
  try {
    return Response.json(await readNamed(createServerRead(context.get(apiContext)), name, url), { headers: NO_STORE });
  } catch (error) {
    return refuse(toApiError(error));
  }
}

/** Everything but GET (and HEAD, which the loader answers). */
export function action(): Response {
  const response = refuse(new ApiError("That method is not allowed here.", "METHOD_NOT_ALLOWED", 405));
  response.headers.set("Allow", "GET, HEAD");
  return response;
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

/** An error in the shape of the API's own. */
function refuse({ message, code, status, fields }: ApiError): Response {
  return Response.json(
    { message, error: code, statusCode: status, ...(fields && { fields }) },
    { status, headers: NO_STORE },
  );
}
