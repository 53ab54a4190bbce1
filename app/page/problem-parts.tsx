import { useLocation } from "react-router";
import { useConnection } from "../cache/connection.ts";
import { ButtonLink } from "../ui/controls/button.tsx";
import { Link } from "../ui/link.tsx";

/** Opens the page again: in a new document, since this one may be broken, but while nobody answers there is none. */
function TryAgain() {
  const { pathname, search } = useLocation();
  const connection = useConnection();
  return (
    <ButtonLink to={pathname + search} replace reloadDocument={connection === "online"} variant="ink">
      Try again
    </ButtonLink>
  );
}

/** Opened again, a page is refused to the same account again. */
export const WayOn = ({ status }: { status: number | undefined }) =>
  status === 403 ? (
    <ButtonLink to="/auth/logout" variant="ink">
      Use another account
    </ButtonLink>
  ) : (
    <TryAgain />
  );

type FootProps = { id: string | undefined; status: number | undefined };

/** The id to quote when asking for help, as the answer's X-Request-Id and the log have it; and what works right now. */
export function ProblemFoot({ id, status = 0 }: FootProps) {
  return (
    <p className="mt-3 text-hint text-ink-3">
      {id && (
        <>
          <span className="num">
            Request <span className="select-all">{id}</span>
          </span>
          <br />
        </>
      )}
      {/* In a new document: this one may be broken. */}
      {status >= 500 && (
        <Link to="/status" reloadDocument className="underline">
          See the status page
        </Link>
      )}
    </p>
  );
}
