import { brand } from "../../brand.ts";
import stylesheet from "./administration.css?url";
import AdministrationView from "./administration.unscripted.tsx";
import type { Route } from "./+types/administration.route";
import { loadPage } from "./load-page.ts";
import { receiveForm } from "./receive-form.ts";

/** These pages need only links and forms, so browsers load no script for them. */
export const handle = { unscripted: true };

/** Each page sets its own title. Anything that is not a page, such as an error, has the document's title. */
export const meta: Route.MetaFunction = () => [
  { name: "description", content: brand.description },
  { tagName: "link", rel: "stylesheet", href: stylesheet },
];

export const loader = (args: Route.LoaderArgs) => loadPage(args);

export const action = (args: Route.ActionArgs) => receiveForm(args);

export const headers: Route.HeadersFunction = ({ actionHeaders, loaderHeaders }) => {
  const retryAfter = actionHeaders.get("Retry-After");
  const cookie = loaderHeaders.get("Set-Cookie");
  return {
    "Cache-Control": "no-store",
    ...(retryAfter && { "Retry-After": retryAfter }),
    ...(cookie && { "Set-Cookie": cookie }),
  };
};

export default function AdministrationRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <AdministrationView loaded={loaderData} answered={actionData} />;
}
