import { useLocation } from "react-router";
import { useConnection } from "../api/connection.ts";
import { ButtonLink } from "../ui/button.tsx";

/** What helps against a problem: trying again, or for who may not see a page being somebody else. */
export function ProblemWaysOn({ status }: { status: number | undefined }) {
  const { pathname, search } = useLocation();
  const connection = useConnection();
  if (status === 404) return null;
  if (status === 403)
    return (
      <ButtonLink to="/auth/logout" variant="ink">
        Use another account
      </ButtonLink>
    );
  return (
    // A new document, since the old one may be broken: but offline there is none to be had.
    <ButtonLink to={`${pathname}${search}`} replace reloadDocument={connection !== "offline"} variant="ink">
      Try again
    </ButtonLink>
  );
}

/** The id to quote when asking for help, as the answer's X-Request-Id and the log have it. */
export function RequestId({ id }: { id: string | undefined }) {
  if (!id) return null;
  return (
    <p className="mt-3 text-hint text-ink-3">
      Request <span className="num select-all">{id}</span>
    </p>
  );
}
