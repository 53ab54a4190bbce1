import { ButtonLink } from "../ui/controls/button.tsx";
import { PlainPage } from "./plain-page.tsx";
import { ProblemFoot, WayOn } from "./problem-parts.tsx";
import { useProblem, useRequestId } from "./problem.ts";

/** Replaces a page that could not be loaded or that broke. The shell stays around it. */
export function PageProblem({ error }: { error: unknown }) {
  const requestId = useRequestId(error);
  const { status, title, text } = useProblem(error, requestId);
  return (
    <PlainPage title={title} text={text}>
      <div className="flex flex-wrap justify-center gap-2.5">
        <WayOn status={status} />
        <ButtonLink to="/faqs" variant="quiet">
          Help &amp; FAQs
        </ButtonLink>
      </div>
      <ProblemFoot id={requestId} status={status} />
    </PlainPage>
  );
}
