import { ButtonLink } from "../ui/controls/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Logo } from "../ui/logo.tsx";
import { ProblemFoot, WayOn } from "../page/problem-parts.tsx";
import { useProblem, useRequestId } from "../page/problem.ts";

/**
 * The page for an error without a shell around it: what happened, the id to quote when asking for help, and ways on.
 */
export function ErrorPage({ error }: { error: unknown }) {
  const requestId = useRequestId(error);
  const { status, title, text } = useProblem(error, requestId);

  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex h-15 items-center border-b border-line px-4 md:px-8">
        <Logo to="/" />
      </header>
      <main className="shown-whole grid grow place-content-center justify-items-center gap-3 p-6 text-center">
        <Icon name="pulse" className="size-11.5 stroke-[1.4] text-ink-3" />
        {status && <p className="label">Error {status}</p>}
        <h1 className="text-title leading-[1.15] font-bold tracking-[-0.025em]">{title}</h1>
        <p className="text-ink-2">{text}</p>
        <div className="mt-3 flex flex-wrap justify-center gap-2.5">
          {status !== 404 && <WayOn status={status} />}
          <ButtonLink to="/" reloadDocument variant={status === 404 ? "ink" : "quiet"}>
            Go home
          </ButtonLink>
        </div>
        <ProblemFoot id={requestId} status={status} />
      </main>
      {/* Tells `shown-whole` that the page is complete. */}
      <span hidden />
    </div>
  );
}
