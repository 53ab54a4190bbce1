import { brand } from "../../brand.ts";
import { FootLink } from "./foot-link.tsx";

/** Links to the Terms of Service, the Privacy Policy and the status page. */
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
