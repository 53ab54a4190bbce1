import type { CampaignSubmission } from "../../server/rewards/contract.ts";
import { ClaimForm, useIsClaiming } from "../claims/claim-form.tsx";
import { ButtonLink, buttonClass } from "../ui/controls/button.tsx";
import { Card } from "../ui/card.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { formatChange, formatNumber } from "../ui/number/number.ts";
import { Pill } from "../ui/pill.tsx";

/** The campaigns in the order of their tasks, and what is left to do about each. */
export function CampaignsCard({ submissions }: { submissions: CampaignSubmission[] }) {
  const done = submissions.filter(({ completed }) => completed).length;
  if (submissions.length === 0) {
    return (
      <Card title="Rewards" padded={false}>
        <EmptyState
          title="No campaigns yet"
          text="What you can earn points with is listed here as soon as there is something."
        >
          <ButtonLink to="/referrals" variant="quiet">
            Invite a friend meanwhile
          </ButtonLink>
        </EmptyState>
      </Card>
    );
  }
  return (
    <Card
      title="Rewards"
      aside={
        <Pill tone="mute">
          {formatNumber(done)} of {formatNumber(submissions.length)} done
        </Pill>
      }
    >
      <ol className="-my-3 grid">
        {submissions
          .toSorted((one, other) => one.taskNumber - other.taskNumber)
          .map((submission, index) => (
            <Campaign key={submission.campaignId ?? index} submission={submission} />
          ))}
      </ol>
    </Card>
  );
}

function Campaign({ submission }: { submission: CampaignSubmission }) {
  const { bonusPoints, campaignName, mandatory, taskNumber, type } = submission;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line py-3 last:border-b-0">
      <span aria-hidden className="num min-w-4 text-ink-3">
        {taskNumber}
      </span>
      <span className="grid grow basis-40 gap-0.5">
        <span className="font-strong">{campaignName}</span>
        <span className="text-hint text-ink-3">
          {mandatory ? "Required" : "Optional"} {type}
        </span>
      </span>
      <span className="num">{formatChange(bonusPoints)}</span>
      <span className="flex min-w-26 justify-end">
        <NextStep submission={submission} />
      </span>
    </li>
  );
}

function NextStep({ submission }: { submission: CampaignSubmission }) {
  const { bonusPoints, buttonText, campaignId, campaignName, claimable, completed, formUrl } = submission;
  const isClaiming = useIsClaiming(campaignId);
  if (claimable && !isClaiming) {
    return <ClaimForm id={campaignId} label={`Claim ${formatNumber(bonusPoints)} points for ${campaignName}`} />;
  }
  if (completed) return <Pill tone="good">Done</Pill>;
  const href = readWebAddress(formUrl);
  if (!href) return <Pill tone="mute">To do</Pill>;
  const text = buttonText ?? "Open form";
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer"
      aria-label={`${text}: ${campaignName} (opens in a new tab)`}
      className={buttonClass({ size: "sm" })}
    >
      {text}
    </a>
  );
}

/** The address of a form, if it is one of the web: whatever else it may be, it is not for a link. */
function readWebAddress(text: string): string | null {
  const url = URL.parse(text);
  return url && /^https?:$/.test(url.protocol) ? url.href : null;
}
