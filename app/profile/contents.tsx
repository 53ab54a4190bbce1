import type { Section } from "./profile-outcome.ts";

type Anchor = Section | "wallet" | "identity";

/** In the order of the page. */
const CONTENTS: [id: Anchor, words: string][] = [
  ["details", "About you"],
  ["password", "Email and password"],
  ["devices", "Your machines"],
  ["wallet", "Wallet"],
  ["identity", "Machine ID"],
  ["campaign-mail", "Campaign emails"],
  ["sessions", "Where you are signed in"],
  ["security-activity", "Security activity"],
  ["your-data", "Your data"],
  ["delete-account", "Delete account"],
];

/** The way to each section of the profile; without those that the backend does not have. */
export function Contents({ without }: { without: Anchor[] }) {
  return (
    <nav aria-labelledby="contents" className="@4xl/page:contents-beside @4xl/page:col-start-2">
      <h2 id="contents" className="label mb-2.5">
        On this page
      </h2>
      <ul className="contents-list">
        {CONTENTS.filter(([id]) => !without.includes(id)).map(([id, words]) => (
          <li key={id}>
            <a href={`#${id}`}>{words}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
