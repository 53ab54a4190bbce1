import { use } from "react";
import { browserslist } from "../../package.json";
import { NonceContext } from "./nonce-context.ts";

/**
 * Tells the visitor if the browser is older than those in package.json's `browserslist`. No other script starts there
 * (entry.client.tsx): every page works without scripts, and stays as the server has sent it.
 */
export function BrowserFloor() {
  return (
    <>
      <p id={NOTICE} hidden role="alert" suppressHydrationWarning className="browser-floor">
        {TEXT}
      </p>
      <script nonce={use(NonceContext)} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: SCRIPT }} />
    </>
  );
}

/** Returns whether this page goes without scripts because its browser is too old for them. */
export const isBelowFloor = (): boolean => "outdated" in document.documentElement.dataset;

const NOTICE = "browser-floor";

/** Writes the notice. `chrome >= 120` becomes Chrome 120. */
function writeNotice(): string {
  const browsers = browserslist.map((each) => each.replace(/^./, (letter) => letter.toUpperCase()).replace(" >=", ""));
  return `Your browser is too old for some features: points do not update by themselves, and you cannot connect a wallet. Use ${browsers.join(", ")} or a newer version.`;
}

const TEXT = import.meta.env.SSR ? writeNotice() : "";

/** Features that are used without a fallback. The last of them came with the oldest of those browsers. */
const NEEDED = [
  `window.CSS`,
  `CSS.supports("color","oklch(0 0 0)")`,
  `CSS.supports("selector(:has(a))")`,
  `"toSorted"in Array.prototype`,
  `"popover"in HTMLElement.prototype`,
  `"checkVisibility"in Element.prototype`,
];

/**
 * Writes the script in syntax that the oldest browser understands. base.css then shows what it shows without
 * JavaScript.
 */
const writeScript = () =>
  `if(!(${NEEDED.join("&&")})){document.documentElement.setAttribute("data-outdated","");document.getElementById("${NOTICE}").hidden=false}`;

const SCRIPT = import.meta.env.SSR ? writeScript() : "";
