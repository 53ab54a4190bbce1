import { brand } from "../brand.ts";
import { ButtonLink } from "../ui/button.tsx";
import { FaqList } from "./faq-list.tsx";

/** Public: members and visitors alike. */
export default function FaqsRoute() {
  return (
    <div className="grid gap-4.5">
      <FaqList />
      <div className="flex flex-wrap gap-2.5">
        {Object.entries(brand.legal).map(([name, href]) => (
          <ButtonLink key={href} to={href} variant="quiet">
            {name}
          </ButtonLink>
        ))}
      </div>
    </div>
  );
}
