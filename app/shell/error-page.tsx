import { isRouteErrorResponse } from "react-router";
import { ButtonLink } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Logo } from "./logo.tsx";

const TEXTS: Record<number, { title: string; text: string }> = {
  403: { title: "This page is not yours", text: "Your account may not open it." },
  404: { title: "This page does not exist", text: "The address may be mistyped, or the page may have moved." },
  503: { title: "We are briefly unavailable", text: "Please try again in a moment." },
};
const OTHER = { title: "Something went wrong, please try again!", text: "The error has been logged." };

/** What is shown for a thrown error: what happened, the id to quote when asking for help, and a way home. */
export function ErrorPage({ error, requestId }: { error: unknown; requestId?: string }) {
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const { title, text } = TEXTS[status] ?? OTHER;

  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex h-15 items-center border-b border-line px-4 md:px-8">
        <Logo to="/" />
      </header>
      <main className="grid grow place-content-center justify-items-center gap-3 p-6 text-center">
        <Icon name="pulse" className="size-11.5 text-ink-3" strokeWidth={1.4} />
        <p className="label">Error {status}</p>
        <h1 className="text-title leading-[1.15] font-bold tracking-[-0.025em]">{title}</h1>
        <p className="text-ink-2">{text}</p>
        <ButtonLink to="/" reloadDocument variant="ink" className="mt-3">
          Go home
        </ButtonLink>
        {requestId && (
          <p className="mt-3 text-hint text-ink-3">
            Request <span className="num select-all">{requestId}</span>
          </p>
        )}
      </main>
    </div>
  );
}
