import { pageMeta } from "../page/page-meta.ts";
import type { Route } from "./+types/terms.route";
import { loadDocument } from "./load-document.ts";
import { LegalDocumentPage } from "./legal-document.tsx";
import { termsPage } from "./page.ts";

export const meta = pageMeta(termsPage);

export const loader = ({ context, params }: Route.LoaderArgs) => loadDocument(context, "tos", params.version);

export default function TermsRoute({ loaderData }: Route.ComponentProps) {
  return <LegalDocumentPage document={loaderData} title={termsPage.title} href="/terms" />;
}
