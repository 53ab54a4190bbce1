import { useEffect, type ReactNode } from "react";
import { asText } from "../cache/as-text.ts";
import { useRead } from "../cache/query-provider.tsx";
import { useQuery } from "../cache/use-query.ts";
import { FollowAsMember } from "../session/follow-as-member.tsx";
import { rememberMember } from "../session/member-flags.ts";
import { LegalGate } from "../legal/legal-gate.tsx";
import { PollStats } from "../live/poll-stats.tsx";
import { LiveUpdates } from "../live/live-updates.tsx";
import { HeaderAction } from "../machine-id/header-action.tsx";
import { WalletActions } from "../wallet/wallet-actions.tsx";
import { WalletHost } from "../wallet/wallet-host.tsx";
import { AppShell } from "./app-shell.tsx";
import { DeletionBanner } from "./deletion-banner.tsx";
import { toPerson } from "./sidebar/member-badge.tsx";
import { OutlinedPage } from "./page-outline.tsx";
import { PreloadOnIntent } from "./preload-on-intent.tsx";
import { isOnboarded, onboardedQuery, userQuery, whitelistQuery } from "../member/reads.ts";
import { statsQuery } from "../points/reads.ts";
import { usePersistRules } from "../points/use-rules.ts";

/** How often any page asks for new totals while no live ones arrive, in milliseconds. */
const POLL_MS = 30_000;

type MemberShellProps = {
  /** The id of the signed-in member. Empty if the session does not know it. */
  member: string;
  sidebarOpen: boolean;
  /** What the browser remembers about the documents to accept. */
  legal: { skipped: boolean };
  children: ReactNode;
};

/** The shell around a member's pages. It always shows the latest data that the pages have read. */
export function MemberShell({ member, sidebarOpen, legal, children }: MemberShellProps) {
  const read = useRead();
  const { data: user } = useQuery(userQuery(read));
  const { data: stats } = useQuery(statsQuery(read));
  const { data: whitelist } = useQuery(whitelistQuery(read));
  const { data: onboarded } = useQuery(onboardedQuery(read));

  useEffect(() => rememberMember(member, whitelist?.isWhitelisted), [member, whitelist?.isWhitelisted]);
  usePersistRules();

  const linked = user && asText(user.wallet);
  const memberState = {
    onboarded: isOnboarded(onboarded),
    whitelisted: whitelist?.isWhitelisted === true,
    points: stats?.points_total ?? 0,
    wallet: linked ?? null,
    personalCode: asText(user?.personal_code),
    person: user ? toPerson(user) : undefined,
  };
  const deletionDueAt = asText(user?.deletion_due_at);
  return (
    <LegalGate member={member} whitelisted={memberState.whitelisted} {...legal}>
      {({ covered, notice }) => (
        <AppShell
          member={memberState}
          sidebarOpen={sidebarOpen}
          covered={covered}
          action={memberState.onboarded && <HeaderAction member={member} />}
          walletActions={<WalletActions linked={linked} />}
        >
          <FollowAsMember />
          <PreloadOnIntent />
          <LiveUpdates member={member} />
          <PollStats every={POLL_MS} />
          {deletionDueAt && <DeletionBanner dueAt={deletionDueAt} />}
          <WalletHost linked={linked} />
          {notice}
          <OutlinedPage>{children}</OutlinedPage>
        </AppShell>
      )}
    </LegalGate>
  );
}
