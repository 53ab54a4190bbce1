import { LegalLinks } from "../shell/legal-links.tsx";
import { FaqList } from "./faq-list.tsx";

/** Public: members and visitors alike. */
export default function FaqsRoute() {
  return (
    <div className="grid gap-4.5">
      <FaqList />
      <LegalLinks />
    </div>
  );
}
