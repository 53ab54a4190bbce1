import { documentTitle } from "../page/page-meta.ts";
import { PlainPage } from "../page/plain-page.tsx";
import { ButtonLink } from "../ui/controls/button.tsx";
import { EndedPage } from "./ended-page.tsx";
import { Frame } from "./frame.tsx";
import type { Loaded } from "./load-page.ts";
import type { AdminPage, Shown } from "./page.ts";
import { overviewPage } from "./overview/overview.page.tsx";
import { findPage, hrefOf } from "./pages.ts";
import { StaleFormNotice } from "./parts.tsx";
import { PasswordPage } from "./password-page.tsx";
import type { FormResult } from "./receive-form.ts";

type ViewProps = { loaded: Loaded; answered: FormResult | undefined };

/**
 * Shows a page of the administration, or what replaces it. No script contains any part of it
 * (server/vite/unscripted.ts).
 */
export default function AdministrationView({ loaded, answered }: ViewProps) {
  const { place } = loaded;
  const { page } = findPage(place.pathname) ?? {};
  const title = page?.title ?? "Administration";
  if (loaded.kind === "elsewhere") {
    return (
      <Frame title="Administration" pathname={place.pathname} administrator={undefined}>
        <Title text="Not available here" />
        <PlainPage
          title="Administration is not available here"
          text="This installation shows the data of another server. Its members are administered there."
        >
          <ButtonLink to="/dashboard" variant="ink">
            Go to the dashboard
          </ButtonLink>
        </PlainPage>
      </Frame>
    );
  }
  if (loaded.kind === "ended") {
    return (
      <Frame title={title} pathname={place.pathname} administrator={undefined} hasWaysOut={false}>
        <Title text="Your session has ended" />
        {answered?.kind === "ended" && <EndedPage place={place} {...answered} />}
      </Frame>
    );
  }
  const { administrator } = loaded;
  if (loaded.kind === "password" || answered?.kind === "password") {
    const asked = answered?.kind === "form" ? { carried: answered.carried } : answered;
    return (
      <Frame title={title} pathname={place.pathname} administrator={administrator}>
        <Title text="Enter your password" />
        <PasswordPage administrator={administrator} place={place} asked={asked} />
      </Frame>
    );
  }
  const returned = answered?.kind === "form" ? answered : undefined;
  const shown = { administrator, url: place, returned };
  const isMissing = !page || loaded.kind === "missing";
  return (
    <Frame title={title} pathname={place.pathname} administrator={administrator}>
      <Title text={isMissing ? "This page does not exist" : title} />
      {isMissing ? (
        <Missing page={page ?? overviewPage} shown={shown} />
      ) : (
        <page.Page data={loaded.content} shown={{ ...shown, returned: returned ?? loaded.returned }} />
      )}
    </Frame>
  );
}

/** Replaces a page whose subject no longer exists. Shows what was typed there. */
function Missing({ page: { forms, path, within }, shown }: { page: AdminPage; shown: Shown }) {
  const above = hrefOf({ path: within ?? path });
  return (
    <div className="grid gap-4.5">
      <StaleFormNotice shown={shown} forms={forms ?? []} isDrawn={() => false} />
      <PlainPage
        title="This page does not exist"
        text="The address may be mistyped, or what it showed has since been decided or removed."
      >
        <ButtonLink to={above}>{`Go to ${findPage(above)?.page.title}`}</ButtonLink>
      </PlainPage>
    </div>
  );
}

const Title = ({ text }: { text: string }) => <title>{documentTitle(`${text} · Administration`)}</title>;
