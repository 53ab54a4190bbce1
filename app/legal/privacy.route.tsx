import { pageMeta } from "../page/page-meta.ts";
import type { Route } from "./+types/privacy.route";
import { loadDocument } from "./load-document.ts";
import { LegalDocumentPage } from "./legal-document.tsx";
import { privacyPage } from "./page.ts";

export const meta = pageMeta(privacyPage);

export const loader = ({ context, params }: Route.LoaderArgs) => loadDocument(context, "pp", params.version);

export default function PrivacyRoute({ loaderData }: Route.ComponentProps) {
  return <LegalDocumentPage document={loaderData} title={privacyPage.title} href="/privacy" />;
}
