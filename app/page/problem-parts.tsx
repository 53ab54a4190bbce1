import { useLocation } from "react-router";
import { useConnection } from "../cache/connection.ts";
import { ButtonLink } from "../ui/controls/button.tsx";
import { Link } from "../ui/link.tsx";

/** Opens the page again: in a new document, since this one may be broken, but while nobody answers there is none. */
export function TryAgain() {
  const { pathname, search } = useLocation();
  const connection = useConnection();
  return (
    <ButtonLink to={pathname + search} replace reloadDocument={connection === "online"} variant="ink">
      Try again
    </ButtonLink>
  );
}

/** Where it says whether others have the trouble, too. For what the server itself has failed in. */
export function StatusHint({ status }: { status: number | undefined }) {
  if (status === undefined || status < 500) return null;
  return (
    <p className="mt-3 text-small text-ink-2">
      See the {/* In a new document: this one may be broken. */}
      <Link to="/status" reloadDocument className="underline underline-offset-2 hover:text-ink">
        status page
      </Link>{" "}
      for what works right now.
    </p>
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
