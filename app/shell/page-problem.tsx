import { isRouteErrorResponse, useLocation } from "react-router";
import { buttonClass, ButtonLink } from "../ui/button.tsx";
import { PlainPage } from "./plain-page.tsx";

/** What stands in place of a page that could not be loaded, with the shell still around it. */
export function PageProblem({ error }: { error: unknown }) {
  const { pathname, search } = useLocation();
  const unavailable = isRouteErrorResponse(error) && error.status === 503;
  const { title, text } = unavailable
    ? { title: "We cannot reach your data right now", text: "Nothing is lost. Wait a moment and try again." }
    : { title: "This page could not be loaded", text: "We have been told about it. Trying again often helps." };
  return (
    <PlainPage title={title} text={text}>
      <div className="flex flex-wrap justify-center gap-2.5">
        <a href={`${pathname}${search}`} className={buttonClass({ variant: "ink" })}>
          Try again
        </a>
        <ButtonLink to="/faqs" variant="quiet">
          Help &amp; FAQs
        </ButtonLink>
      </div>
    </PlainPage>
  );
}
