import { useLocation } from "react-router";
import { useConnection } from "../cache/connection.ts";
import { ButtonLink } from "../ui/controls/button.tsx";
import { Link } from "../ui/link.tsx";

/**
 * Opens the page again, in a new document because this one may be broken. While the server cannot be reached, there is
 * no new document. A page that was refused stays so, except for another account.
 */
export function WayOn({ status }: { status: number | undefined }) {
  const { pathname, search } = useLocation();
  const connection = useConnection();
  const isRefused = status === 403;
  return (
    <ButtonLink
      to={isRefused ? "/auth/logout" : pathname + search}
      replace
      reloadDocument={connection === "online"}
      variant="ink"
    >
      {isRefused ? "Use another account" : "Try again"}
    </ButtonLink>
  );
}

type FootProps = { id: string | undefined; status: number | undefined };

/**
 * Shows the id to quote when asking for help, as in the response's X-Request-Id and in the log. Links to the status
 * page after an error of the server.
 */
export function ProblemFoot({ id, status = 0 }: FootProps) {
  return (
    <p className="mt-3 text-hint text-ink-3">
      {id && (
        <span className="block">
          Request <span className="num ms-1 select-all">{id}</span>
        </span>
      )}
      {/* In a new document, because this one may be broken. */}
      {status >= 500 && (
        <Link to="/status" reloadDocument className="underline">
          See the status page
        </Link>
      )}
    </p>
  );
}
