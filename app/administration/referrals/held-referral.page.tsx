import * as z from "zod";
import { MAX_FRIENDS, MAX_TWINS, type HeldReferralDetail } from "../../../server/referrals/contract.ts";
import { Card } from "../../ui/card.tsx";
import { formatNumber } from "../../ui/number/number.ts";
import { ActionForm, Folded, isReturned } from "../action-form.tsx";
import { defineForm, definePage, type Shown } from "../page.ts";
import { Facts, MemberLink, Moment } from "../parts.tsx";
import { HELD_WORDS } from "./held-words.ts";

const LIST = "/admin/referrals";

const releaseForm = defineForm({
  intent: "release-referral",
  schema: z.object({}),
  async send({ reason }, { api, params: { id = "" } }) {
    await api.heldReferrals.release(id, { reason });
    return { note: "referral-released", to: LIST };
  },
});

const refuseForm = defineForm({
  intent: "refuse-referral",
  schema: z.object({}),
  confirm: "I understand that neither of them will ever be paid for this invitation.",
  async send({ reason }, { api, params: { id = "" } }) {
    await api.heldReferrals.refuse(id, { reason });
    return { note: "referral-refused", to: LIST };
  },
});

export const heldReferralPage = definePage({
  path: "referrals/:id",
  title: "Held invitation",
  within: "referrals",
  load: ({ api, params: { id = "" } }) => api.heldReferrals.read(id),
  forms: [releaseForm, refuseForm],
  Page: ({ data, shown }) => (
    <div className="admin-columns">
      <Evidence held={data} />
      <Card title="Decide">
        {[data.inviter.id, data.invitee.id].includes(shown.administrator.id) ? (
          <p className="text-ink-2">This invitation is yours: another administrator has to decide.</p>
        ) : (
          <Decide shown={shown} />
        )}
      </Card>
    </div>
  ),
});

const Decide = ({ shown }: { shown: Shown }) => (
  <div className="admin-folds">
    <Folded title="Release the invitation" isOpen={isReturned(shown, releaseForm)}>
      <ActionForm form={releaseForm} shown={shown} submit="Release and pay" />
    </Folded>
    <Folded title="Refuse the invitation" isOpen={isReturned(shown, refuseForm)}>
      <ActionForm form={refuseForm} shown={shown} submit="Refuse the invitation" />
    </Folded>
  </div>
);

const Evidence = ({ held: { heldAt, inviter, invitee, reason, sameMailbox } }: { held: HeldReferralDetail }) => (
  <Card title="Why it is held">
    <Facts
      facts={[
        ["Why", reason ? HELD_WORDS[reason] : "–"],
        ["Held since", <Moment key="held" at={heldAt} />],
        ["Inviter", <MemberLink key="inviter" member={inviter} />],
        ["Inviter joined", <Moment key="joined" at={inviter.joinedAt} />],
        ["Inviter's wallet", formatWallet(inviter)],
        ["Inviter's friends", formatFriends(inviter.friends)],
        ["Friend", <MemberLink key="friend" member={invitee} />],
        ["Friend joined", <Moment key="since" at={invitee.joinedAt} />],
        ["Friend's wallet", formatWallet(invitee)],
        ["Friend's heartbeats", formatNumber(invitee.heartbeats)],
        ["Same mailbox", <Twins key="twins" twins={sameMailbox} />],
      ]}
    />
  </Card>
);

const formatWallet = ({ hasWallet }: { hasWallet: boolean }) => (hasWallet ? "Linked" : "None");

const formatFriends = ({ invited, held, refused }: HeldReferralDetail["inviter"]["friends"]) =>
  `${formatNumber(invited)} invited, ${formatNumber(held)} held, ${formatNumber(refused)} refused` +
  (invited < MAX_FRIENDS ? "" : ", or more of each");

const Twins = ({ twins }: { twins: HeldReferralDetail["sameMailbox"] }) =>
  twins.length === 0 ? (
    "No other account"
  ) : (
    <ul className="grid gap-0.5">
      {twins.map((twin) => (
        <li key={twin.id}>
          <MemberLink member={twin} />
        </li>
      ))}
      {twins.length >= MAX_TWINS && <li>There may be more.</li>}
    </ul>
  );
