import { asText } from "../cache/as-text.ts";
import { useRead } from "../cache/query-provider.tsx";
import { useQuery } from "../cache/use-query.ts";
import type { DraftFields } from "../page/draft.ts";
import { DataCard } from "../ui/data-card.tsx";
import { Contents } from "./contents.tsx";
import { CampaignMailCard } from "./mail/campaign-mail-card.tsx";
import { DeleteAccountCard } from "./deletion/delete-account-card.tsx";
import { DetailsCard } from "./details/details-card.tsx";
import { DevicesCard } from "./devices/devices-card.tsx";
import { OwnDataCard } from "./deletion/own-data-card.tsx";
import { SignInCard } from "./password/sign-in-card.tsx";
import type { Refusal } from "./profile-form.ts";
import type { CreatedKey } from "../start-node/created-key.ts";
import { devicesQuery } from "../start-node/reads.ts";
import { useCreatedKey } from "../start-node/use-created-key.ts";
import { IdentityCard } from "../machine-id/identity-card.tsx";
import { NodePassCard } from "../node-pass/node-pass-card.tsx";
import { WalletCard } from "../wallet/wallet-card.tsx";
import { useNote } from "../outcome/notes.tsx";
import { useMemberId } from "../session/use-member-id.ts";
import { PROFILE_NOTE } from "./profile-outcome.ts";
import { activityQuery, type ProfileView } from "./profile-view.ts";
import { ProfileOutcomeContext } from "./section.tsx";
import { SecurityActivityCard } from "./sessions/security-activity-card.tsx";
import { SessionsCard } from "./sessions/sessions-card.tsx";
import { userQuery } from "../member/reads.ts";
import { campaignMailQuery, securityActivityQuery, sessionsQuery, silenceMailQuery } from "./reads.ts";

type ProfilePageProps = {
  view: ProfileView;
  /** The server's clock, in milliseconds. */
  now: number;
  /** What was typed when the session ended. */
  draft: DraftFields | null;
  refusal: Refusal | null;
  /** The machine key that was just created. */
  made: CreatedKey | null;
};

/** Shows the member's account: who they are, what happened to it, and how to sign in to it. */
export function ProfilePage({ view, now, draft, made, refusal }: ProfilePageProps) {
  const read = useRead();
  const { data: sessions } = useQuery(sessionsQuery(read));
  const { data: activity } = useQuery(securityActivityQuery(read, activityQuery(view)));
  const { data: mail } = useQuery(campaignMailQuery(read));
  const { data: devices } = useQuery(devicesQuery(read));
  const { data: silence } = useQuery(silenceMailQuery(read));
  const { data: user } = useQuery(userQuery(read));
  const email = asText(user?.email) ?? "";
  // A backend without a list of sessions does not have the other account functions, either.
  const hasAccount = sessions !== null;
  // An earlier success says nothing about what was just refused.
  const note = useNote(PROFILE_NOTE);
  const done = refusal || made ? null : (note?.word ?? null);
  const key = useCreatedKey(made, done === "device-revoked" ? note?.about : undefined);

  return (
    <ProfileOutcomeContext value={{ done, refusal }}>
      <div className="grid gap-x-10 gap-y-6 *:min-w-0 @4xl/page:grid-cols-[minmax(0,1fr)_10.5rem]">
        <Contents without={hasAccount ? [] : ["your-data", "delete-account"]} />
        <div className="grid content-start gap-4.5 @4xl/page:col-start-1 @4xl/page:row-start-1">
          <DataCard data={user} id="details" title="About you">
            {(known) => <DetailsCard user={known} draft={draft} />}
          </DataCard>
          <SignInCard email={email} canChange={hasAccount} />
          <DataCard data={devices} id="devices" title="Your machines">
            {(known) => <DevicesCard {...known} made={key} silence={silence} email={email} now={now} />}
          </DataCard>
          <DataCard data={user} id="wallet" title="Wallet">
            {({ wallet }) => <WalletCard linked={asText(wallet)} />}
          </DataCard>
          <IdentityCard member={useMemberId() ?? ""} />
          <NodePassCard />
          <DataCard data={mail} id="campaign-mail" title="Campaign emails">
            {(known) => <CampaignMailCard mail={known} email={email} draft={draft?.email} />}
          </DataCard>
          <DataCard data={sessions} id="sessions" title="Where you are signed in">
            {(known) => <SessionsCard {...known} now={now} />}
          </DataCard>
          <DataCard data={activity} id="security-activity" title="Security activity">
            {(known) => <SecurityActivityCard {...known} />}
          </DataCard>
          {hasAccount && (
            <>
              <OwnDataCard />
              <DeleteAccountCard dueAt={asText(user?.deletion_due_at)} />
            </>
          )}
        </div>
      </div>
    </ProfileOutcomeContext>
  );
}
