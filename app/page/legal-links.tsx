import { brand } from "../../brand.ts";
import { FootLink } from "./foot-link.tsx";

/** The way to the Terms of Service, the Privacy Policy and what works right now. */
export function LegalLinks() {
  return (
    <nav aria-label="Footer" className="flex flex-wrap gap-x-4.5">
      {Object.entries(brand.legal).map(([name, href]) => (
        <FootLink key={href} to={href}>
          {name}
        </FootLink>
      ))}
      <FootLink to="/status">Status</FootLink>
    </nav>
  );
}
