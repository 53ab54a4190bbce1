import type { ReactNode } from "react";
import { track } from "../analytics/events.ts";
import { buttonClass } from "../ui/controls/button.tsx";
import { Card } from "../ui/card.tsx";
import { CopyButton } from "../ui/controls/copy-button.tsx";
import { inputClass } from "../ui/controls/field.tsx";
import { formatNumber } from "../ui/number/number.ts";

type ReferralCardProps = {
  /** The site's origin plus /auth/signup with the member's personal code; null before the member has one. */
  link: string | null;
  /** How many points a friend starts with. */
  points: number;
  /** Whether to use one line where there is room for it, instead of a column. */
  wide?: boolean;
  /** More ways to share the link. */
  children?: ReactNode;
};

/** Shows the member's invitation link. Without a script, the link can be selected. */
export function ReferralCard({ link, points, wide = false, children }: ReferralCardProps) {
  return (
    <Card id="share" title="Refer a Friend">
      {/* The third column comes with the button. Without a script, the link takes up the rest of the line. */}
      <div className={`grid gap-3.5 ${wide ? WIDE : ""}`}>
        <p className="text-ink-2">A friend who joins with your link starts with {formatNumber(points)} extra points.</p>
        {link ? (
          <>
            <input
              readOnly
              value={link}
              aria-label="Your referral link"
              onFocus={(event) => event.currentTarget.select()}
              className={inputClass("num truncate text-hint")}
            />
            <CopyButton text={link} onCopied={() => trackCopy(link)} className={buttonClass({ variant: "ink" })}>
              {(copied) => (copied ? "Copied!" : "Copy Link")}
            </CopyButton>
          </>
        ) : (
          <p className="text-small text-ink-3">Your link is being prepared.</p>
        )}
      </div>
      {link && children}
    </Card>
  );
}

const WIDE =
  "items-center @3xl/page:auto-cols-[8rem] @3xl/page:grid-flow-col @3xl/page:grid-cols-[1fr_minmax(0,28rem)]";

const trackCopy = (link: string) =>
  track({ event: "referral_link_copied", personal_code: new URL(link).searchParams.get("referralCode") ?? "" });
