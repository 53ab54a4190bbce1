import { useRead } from "../cache/query-provider.tsx";
import { useQuery } from "../cache/use-query.ts";
import { nodePassQuery } from "../node-pass/reads.ts";
import type { Section } from "./profile-outcome.ts";

type Anchor = Section | "wallet" | "identity" | "node-pass";

/** In the order in which the page shows them. */
const CONTENTS: [id: Anchor, words: string][] = [
  ["details", "About you"],
  ["password", "Email and password"],
  ["devices", "Your machines"],
  ["wallet", "Wallet"],
  ["identity", "Machine ID"],
  ["node-pass", "Node pass"],
  ["campaign-mail", "Campaign emails"],
  ["sessions", "Where you are signed in"],
  ["security-activity", "Security activity"],
  ["your-data", "Your data"],
  ["delete-account", "Delete account"],
];

type ContentsProps = {
  /** Sections that the backend does not have. */
  without: Anchor[];
};

/** Links to each section that the profile has. */
export function Contents({ without }: ContentsProps) {
  const { data: pass } = useQuery(nodePassQuery(useRead()));
  const missing: Anchor[] = pass?.state === "off" ? [...without, "node-pass"] : without;
  return (
    <nav aria-labelledby="contents" className="@4xl/page:contents-beside @4xl/page:col-start-2">
      <h2 id="contents" className="label mb-2.5">
        On this page
      </h2>
      <ul className="contents-list">
        {CONTENTS.filter(([id]) => !missing.includes(id)).map(([id, words]) => (
          <li key={id}>
            <a href={`#${id}`}>{words}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
