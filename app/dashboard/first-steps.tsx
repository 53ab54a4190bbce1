import { useState } from "react";
import { useRead } from "../cache/query-provider.tsx";
import { useQuery } from "../cache/use-query.ts";
import { storeCookie } from "../cookies/plain-cookie.ts";
import { userQuery } from "../member/reads.ts";
import { PreferenceForm } from "../page/preference-form.tsx";
import { firstStepsCookie } from "../page/preferences.ts";
import { rulesQuery } from "../points/reads.ts";
import { useRules } from "../points/use-rules.ts";
import { useMemberId } from "../session/use-member-id.ts";
import { Button, ButtonLink } from "../ui/controls/button.tsx";
import { Card } from "../ui/card.tsx";
import { Icon } from "../ui/icon.tsx";
import { OutcomeCard } from "../ui/outcome-card.tsx";
import { formatNumber } from "../ui/number/number.ts";
import type { UserStats } from "../../server/points/contract.ts";

type FirstStepsProps = {
  stats: UserStats;
  /** The member who has hidden the list in this browser. */
  hiddenFor: string | undefined;
};

/**
 * Lists what a new member does first, and ticks each step once it is done. Disappears after the last step, or when they
 * hide it.
 */
export function FirstSteps({ stats, hiddenFor }: FirstStepsProps) {
  const member = useMemberId() ?? "";
  const wasHidden = hiddenFor === encodeURIComponent(member);
  const [isPutAway, putAway] = useState(false);
  const steps = useSteps(stats);
  if (isPutAway) return <OutcomeCard text="The Get started list is hidden." isGood />;
  if (wasHidden || !steps || steps.every(({ done }) => done)) return null;
  const next = steps.findIndex(({ done }) => !done);
  function hide() {
    storeCookie(firstStepsCookie(member));
    putAway(true);
  }
  return (
    <Card
      title="Get started"
      aside={
        <>
          <span className="num text-hint text-ink-3">
            {`${steps.filter(({ done }) => done).length} of ${steps.length} done`}
          </span>
          <PreferenceForm action="/shell/first-steps" field={{ name: "member", value: member }} onApply={hide}>
            <Button type="submit" size="sm">
              Hide
            </Button>
          </PreferenceForm>
        </>
      }
    >
      <ol className="grid gap-5 @md/page:grid-cols-2 @3xl/page:auto-cols-fr @3xl/page:grid-flow-col">
        {steps.map((step, index) => (
          <Step key={step.title} {...step} number={index + 1} isNext={index === next} />
        ))}
      </ol>
    </Card>
  );
}

type StepProps = {
  title: string;
  text: string;
  done: boolean;
  /** Where to do it, once that is possible. */
  link?: { to: string; label: string };
};

function useSteps({ heartbeats, total_referrals: referrals }: UserStats): StepProps[] | null {
  const read = useRead();
  const { data: user } = useQuery(userQuery(read));
  const { data: rules } = useQuery(rulesQuery(read));
  const { referralPoints } = useRules();
  // Without these numbers, there is nothing to tick.
  if (!user || typeof heartbeats !== "number" || typeof referrals !== "number") return null;
  const hasBeaten = heartbeats > 0;
  // A member who has sent a heartbeat has had a key, or needs none.
  const hasKey = hasBeaten || user.has_node_key === true;
  const start = "/agentinsights#start-node";
  const steps: StepProps[] = [
    {
      title: "Create a key for your node",
      text: "One command then installs and starts it.",
      done: hasKey,
      link: { to: start, label: "Create a key" },
    },
    {
      title: "Send the first heartbeat",
      text: "Run the command on your machine. The first heartbeat arrives within seconds.",
      done: hasBeaten,
      ...(hasKey && { link: { to: start, label: "Start your node" } }),
    },
    {
      title: "Link a wallet",
      text: "Your wallet owns your Machine ID.",
      done: Boolean(user.wallet),
      link: { to: "/profile#wallet", label: "Link a wallet" },
    },
    {
      title: "Invite a friend",
      text: `Friends who join with your link start with ${formatNumber(referralPoints)} extra points.`,
      done: referrals > 0,
      link: { to: "/referrals#share", label: "Share your link" },
    },
  ];
  // A backend without rules has no keys for nodes, either: nobody could do the first two steps here.
  return rules === null ? steps.slice(2) : steps;
}

function Step({ title, text, done, link, number, isNext }: StepProps & { number: number; isNext: boolean }) {
  return (
    <li className="flex gap-2.5">
      {done ? (
        <Icon name="done" className="size-5 shrink-0 text-good" />
      ) : (
        <span
          aria-hidden
          className="num grid size-5 shrink-0 place-items-center rounded-full border border-line-strong text-label"
        >
          {number}
        </span>
      )}
      {/* Lines up the buttons of a row, however long the text above them is. */}
      <div className="flex flex-col items-start gap-1">
        <h3 key={Number(done)} className={done ? "text-ink-3" : "font-strong"}>
          {done && <span className="sr-only">Done: </span>}
          {title}
        </h3>
        {!done && <p className="mb-1.5 text-hint text-ink-3">{text}</p>}
        {!done && link && (
          <ButtonLink to={link.to} size="sm" variant={isNext ? "ink" : "quiet"} className="mt-auto">
            {link.label}
          </ButtonLink>
        )}
      </div>
    </li>
  );
}
