import type { CampaignSubmission } from "../../server/rewards/contract.ts";
import { asText } from "../cache/as-text.ts";
import { ClaimForm, useIsClaiming } from "../claims/claim-form.tsx";
import { readWebAddress } from "../content/web-address.ts";
import { ButtonLink, buttonClass } from "../ui/controls/button.tsx";
import { Card } from "../ui/card.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Icon } from "../ui/icon.tsx";
import { formatChange, formatCount, formatNumber } from "../ui/number/number.ts";
import { Pill } from "../ui/pill.tsx";
import { useGoal, type Goal } from "./goal.ts";
import { groupRewards } from "./group-rewards.ts";
import { Link } from "../ui/link.tsx";

type CampaignsProps = { submissions: CampaignSubmission[] };

/**
 * Lists the campaigns: first those to claim, then those to do, then the claimed ones, folded. Each group is in the
 * order of its tasks.
 */
export function CampaignsCard({ submissions }: CampaignsProps) {
  if (submissions.length === 0) {
    return (
      <Card title="Rewards" padded={false}>
        <EmptyState
          title="No rewards yet"
          text="New rewards appear here. Until then, you can earn points by inviting friends."
        >
          <ButtonLink to="/referrals" variant="quiet">
            Invite a friend
          </ButtonLink>
        </EmptyState>
      </Card>
    );
  }
  const inOrder = submissions.toSorted((one, other) => one.taskNumber - other.taskNumber);
  const { toClaim, toDo, claimed } = groupRewards(inOrder);
  return (
    <Card title="Rewards">
      <div className="-mb-3 grid">
        {toClaim.length > 0 && <Group title="Claimable" submissions={toClaim} />}
        {toDo.length > 0 && <Group title="To do" submissions={toDo} />}
        {claimed.length > 0 && <Claimed submissions={claimed} isOpen={claimed.length === submissions.length} />}
      </div>
    </Card>
  );
}

function Group({ title, submissions }: CampaignsProps & { title: string }) {
  return (
    <section aria-label={title} className="not-first:mt-4.5">
      <h3 className="label">{title}</h3>
      <Campaigns submissions={submissions} />
    </section>
  );
}

/** Stays folded while there is anything else, with or without a script. */
function Claimed({ submissions, isOpen }: CampaignsProps & { isOpen: boolean }) {
  return (
    // The browser may have opened it before hydration.
    <details open={isOpen} suppressHydrationWarning className="group border-line not-first:mt-1.5">
      <summary className="flex list-none items-center gap-2 rounded-small py-3 text-small text-ink-2 hover:text-ink [&::-webkit-details-marker]:hidden">
        <Icon
          name="down"
          className="size-3.5 shrink-0 text-ink-3 transition-transform duration-150 group-open:rotate-180"
        />
        {`Claimed (${formatNumber(submissions.length)})`}
      </summary>
      <Campaigns submissions={submissions} />
    </details>
  );
}

function Campaigns({ submissions }: CampaignsProps) {
  return (
    <ol className="grid">
      {submissions.map((submission, index) => (
        <Campaign key={submission.campaignId ?? index} submission={submission} />
      ))}
    </ol>
  );
}

function Campaign({ submission }: { submission: CampaignSubmission }) {
  const { bonusPoints, campaignName, completed, mandatory, taskNumber, type } = submission;
  const goal = useGoal(type);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line py-3 last:border-b-0">
      <span aria-hidden className="num min-w-4 text-ink-3">
        {taskNumber}
      </span>
      <span className="grid min-w-0 grow basis-40 gap-0.5">
        <span className="font-strong wrap-anywhere">{campaignName}</span>
        <span className="text-hint text-ink-3">
          {[mandatory ? "Required" : "Optional", !completed && goal?.progress].filter(Boolean).join(" · ")}
        </span>
      </span>
      <span className="num">{formatChange(bonusPoints)}</span>
      {/* Below the name on a narrow page. */}
      <span className="flex w-full min-w-0 ps-7 @md/page:w-40 @md/page:justify-end @md/page:ps-0">
        <NextStep submission={submission} goal={goal} />
      </span>
    </li>
  );
}

function NextStep({ submission, goal }: { submission: CampaignSubmission; goal: Goal | null }) {
  const { bonusPoints, buttonText, campaignId, campaignName, claimable, completed, formUrl } = submission;
  const isClaiming = useIsClaiming(campaignId);
  if (claimable && !isClaiming) {
    return <ClaimForm id={campaignId} label={`Claim ${formatCount(bonusPoints, "point")} for ${campaignName}`} />;
  }
  if (completed) return <Pill tone="good">Claimed</Pill>;
  if (goal) {
    return (
      <Link to={goal.to} aria-label={`${goal.action}: ${campaignName}`} className={buttonClass({ size: "sm" })}>
        {goal.action}
      </Link>
    );
  }
  const href = readWebAddress(formUrl)?.href;
  if (!href) return <Pill tone="mute">To do</Pill>;
  const text = asText(buttonText) ?? "Open form";
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer"
      aria-label={`${text}: ${campaignName} (opens in a new tab)`}
      className={buttonClass(
        { size: "sm" },
        "h-auto! min-h-7.5 shrink! py-1.5 leading-tight! wrap-anywhere whitespace-normal!",
      )}
    >
      {text}
    </a>
  );
}
