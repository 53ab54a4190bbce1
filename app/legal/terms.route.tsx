import type { Route } from "./+types/terms.route";
import { loadDocument } from "./load-document.ts";
import { LegalDocumentPage } from "./legal-document.tsx";

export const loader = ({ context, params }: Route.LoaderArgs) => loadDocument(context, "tos", params.version);

export default function TermsRoute({ loaderData }: Route.ComponentProps) {
  return <LegalDocumentPage document={loaderData} href="/terms" />;
}
