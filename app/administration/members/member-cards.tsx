import type { ReactNode } from "react";
import type { MemberAccount } from "../../../server/member-administration/contract.ts";
import { Card } from "../../ui/card.tsx";
import { Link } from "../../ui/link.tsx";
import { formatCount, formatNumber } from "../../ui/number/number.ts";
import { Table, type Column } from "../../ui/table/table.tsx";
import { adjustmentHref } from "../adjustments/adjustments.page.tsx";
import { EMAIL_COLUMNS } from "../background-work/queue.page.tsx";
import { CategoryTable } from "../category-table.tsx";
import { StandingPills } from "./standing-pills.tsx";
import { AuditLink, Code, MemberLink, Moment, capitalize } from "../parts.tsx";

type MemberProps = { member: MemberAccount };

/** Shows who the member is. */
export function AccountCard({ member }: MemberProps) {
  const { id, email, heldInvitation, invitedBy, referrals } = member;
  return (
    <Card title={email} aside={<StandingPills member={member} />}>
      <dl className="admin-figures">
        <Fact name="Id">
          <span className="num select-all">{id}</span>
        </Fact>
        <Fact name="Joined">
          <Moment at={member.createdAt} />
        </Fact>
        <Fact name="Onboarded">{member.onboardedAt ? <Moment at={member.onboardedAt} /> : "Not yet"}</Fact>
        {member.blockedAt && (
          <Fact name="Blocked since">
            <Moment at={member.blockedAt} />
          </Fact>
        )}
        {member.deletionDueAt && (
          <Fact name="To be deleted">
            <Moment at={member.deletionDueAt} />
            {member.blockedAt && ". Only the member can keep the account, and not while they are blocked."}
          </Fact>
        )}
        <Fact name="Referral code">{member.personalCode ?? "None"}</Fact>
        <Fact name="Invited by">{invitedBy ? <MemberLink member={invitedBy} /> : "Nobody"}</Fact>
        {heldInvitation && (
          <Fact name="This invitation">
            {heldInvitation.standing === "held" ? (
              <Link to={`/admin/referrals/${heldInvitation.id}`}>Held: waiting for a decision</Link>
            ) : (
              REVIEWS[heldInvitation.standing]
            )}
          </Fact>
        )}
        <Fact name="Invitations">
          {formatCount(referrals.invited, "friend")}, {formatNumber(referrals.successful)} claimed
        </Fact>
        <Fact name="Wallet">{member.wallet ? <Code>{member.wallet}</Code> : "Not linked"}</Fact>
        <Fact name="Smart Account">
          <ChainState state={member.smartAccount} job={member.chainJobs.smartAccount} />
        </Fact>
        <Fact name="Machine ID">
          <ChainState state={member.machineId} job={member.chainJobs.machineId} />
        </Fact>
        <Fact name="Changes by administrators">
          <AuditLink subject="member" id={id} />
        </Fact>
      </dl>
    </Card>
  );
}

function ChainState({ state, job }: { state: string | null; job: string | null }) {
  if (state === null || job === null) return "Not requested";
  return <Link to={`/admin/chain-jobs/${job}`}>{capitalize(state)}</Link>;
}

const REVIEWS = { released: "Was held, and released", refused: "Refused: nobody is paid for it" };

/** Shows what the member has earned. */
export function PointsCard({ member: { id, points, heartbeats, lastBeatAt } }: MemberProps) {
  return (
    <Card
      title={formatCount(points.total, "point")}
      padded={false}
      aside={
        <span className="flex flex-wrap gap-x-4">
          <Link to={adjustmentHref(id)} className="underline">
            Adjust points
          </Link>
          <Link to={`/admin/members/${id}/points`} className="underline">
            See the ledger
          </Link>
        </span>
      }
    >
      <CategoryTable caption="Points by category" points={points} />
      <p className="border-t border-line px-4.5 py-3 text-small text-ink-2">
        {formatCount(heartbeats, "heartbeat")}
        {lastBeatAt && (
          <>
            , the last one <Moment at={lastBeatAt} />
          </>
        )}
      </p>
    </Card>
  );
}

const REFUSED_COLUMNS: Column<MemberAccount["refusedBeats"][number]>[] = [
  { head: "Received", cell: ({ receivedAt }) => <Moment at={receivedAt} /> },
  { head: "Time of the heartbeat", cell: ({ claimedAt }) => <Moment at={claimedAt} /> },
  { head: "Machine", cell: ({ device }) => <span className="admin-name">{device ?? "Signed in, without a key"}</span> },
  { head: "Why", cell: ({ message }) => message, className: "min-w-56" },
];

/** Shows heartbeats of the member's machines that were refused. */
export function RefusedCard({ refusedBeats }: Pick<MemberAccount, "refusedBeats">) {
  return (
    <Card title="Refused heartbeats" padded={refusedBeats.length === 0}>
      {refusedBeats.length === 0 ? (
        <p className="text-ink-2">No heartbeat was refused recently.</p>
      ) : (
        <Table
          caption="Refused heartbeats, latest first"
          rows={refusedBeats}
          rowKey={({ claimedAt, device, reason, receivedAt }) => `${claimedAt} ${receivedAt} ${reason} ${device}`}
          columns={REFUSED_COLUMNS}
        />
      )}
    </Card>
  );
}

/** Shows emails to the member that are still to be sent or were given up. */
export function EmailsCard({ emails }: Pick<MemberAccount, "emails">) {
  if (emails === null) return null;
  return (
    <Card
      title="Emails"
      padded={emails.length === 0}
      aside={
        <Link to="/admin/mail" className="underline">
          See the email queue
        </Link>
      }
    >
      {emails.length === 0 ? (
        <p className="text-ink-2">No email to an address of this account is waiting, and none was given up lately.</p>
      ) : (
        <Table caption="Emails, latest first" rows={emails} rowKey={({ key }) => key} columns={EMAIL_COLUMNS} />
      )}
    </Card>
  );
}

const MACHINE_COLUMNS: Column<MemberAccount["machines"][number]>[] = [
  { head: "Name", cell: ({ name }) => <span className="admin-name">{name}</span> },
  { head: "Key created", cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { head: "Key revoked", cell: ({ revokedAt }) => (revokedAt ? <Moment at={revokedAt} /> : "No") },
];

export function MachinesCard({ machines }: Pick<MemberAccount, "machines">) {
  return (
    <Card title="Machines" padded={machines.length === 0}>
      {machines.length === 0 ? (
        <p className="text-ink-2">No machine has a key.</p>
      ) : (
        <Table caption="Machines" rows={machines} rowKey={({ id }) => id} columns={MACHINE_COLUMNS} />
      )}
    </Card>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
