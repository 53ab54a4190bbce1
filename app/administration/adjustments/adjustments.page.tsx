import * as z from "zod";
import { Adjustment, AdjustmentRequest, type AdjustmentRequests } from "../../../server/adjustments/contract.ts";
import { EmailField } from "../../forms/email-field.tsx";
import { Card } from "../../ui/card.tsx";
import { Field } from "../../ui/controls/field.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { formatChange, formatCount, formatNumber } from "../../ui/number/number.ts";
import { Pill, type PillTone } from "../../ui/pill.tsx";
import { SegmentedLinks } from "../../ui/table/segmented-links.tsx";
import { Table, type Column } from "../../ui/table/table.tsx";
import { ActionForm, Folded, isReturned, MEMBER_HINT } from "../action-form.tsx";
import { ListPager } from "../list-pager.tsx";
import { moveNotFoundToField } from "../named-member.ts";
import { defineForm, definePage, type Shown } from "../page.ts";
import { StaleFormNotice, MemberLink, Moment, formatActor, capitalize, SelectField } from "../parts.tsx";
import { TypedPoints } from "../typed-points.ts";

const { member: who, key, category } = Adjustment.shape;

const makeForm = defineForm({
  intent: "adjust-points",
  schema: z.object({
    who,
    key,
    category: category.unwrap(),
    points: TypedPoints.pipe(Adjustment.shape.points),
  }),
  async send({ who: member, points, ...more }, { api }) {
    const made = await moveNotFoundToField("who", api.adjustments.make({ ...more, points, member }));
    if (made.outcome === "already") return { note: "points-before", about: made.state };
    return { note: made.outcome === "posted" ? "points-posted" : "points-asked", about: describeChange(made) };
  },
});

/** `+1 point for cleo@example.com` */
const describeChange = ({ member, points }: Pick<AdjustmentRequest, "member" | "points">) =>
  `${formatCount(points, "point", formatChange)} for ${member.email ?? "a deleted account"}`;

const ID = z.object({ id: AdjustmentRequest.shape.id });

const approveForm = defineForm({
  intent: "approve-points",
  schema: ID,
  async send({ id, reason }, { api }) {
    const approved = await api.adjustments.approve(id, { reason });
    return { note: "points-approved", about: describeChange(approved) };
  },
});

const declineForm = defineForm({
  intent: "decline-points",
  schema: ID,
  async send({ id, reason }, { api }) {
    await api.adjustments.decline(id, { reason });
    return { note: "points-declined" };
  },
});

const PATH = "/admin/adjustments";

/** Returns a link to the form, with this member filled in. */
export const adjustmentHref = (id: string): string => `${PATH}?who=${id}#${makeForm.intent}`;

/** Points that administrators give or take by hand, alone or with the approval of a second one. */
export const adjustmentsPage = definePage({
  path: "adjustments",
  title: "Point adjustments",
  navigation: { label: "Point adjustments", icon: "chart" },
  async load({ api, query }) {
    const show: keyof typeof NONE = query.get("show") === "all" ? "all" : "waiting";
    const asked = { show, after: query.get("after") ?? undefined };
    // The key makes a form that is sent twice count as one request.
    return { page: await api.adjustments.list(asked), show, key: crypto.randomUUID(), who: query.get("who") };
  },
  forms: [makeForm, approveForm, declineForm],
  Page: ({ data: { page, show, key: newKey, who: named }, shown }) => (
    <div className="grid gap-4.5">
      <StaleFormNotice
        shown={shown}
        forms={[approveForm, declineForm]}
        isDrawn={(about) => page.items.some((row) => row.id === about && canDecide(row, shown.returned?.intent))}
      />
      <Card
        title="Requests for approval"
        padded={false}
        aside={
          <SegmentedLinks
            label="Requests"
            segments={[
              { label: "Waiting", href: PATH, current: show === "waiting" },
              { label: "All", href: `${PATH}?show=all`, current: show === "all" },
            ]}
          />
        }
      >
        <Requests page={page} none={NONE[show]} shown={shown} />
        <ListPager url={shown.url} next={page.next} />
      </Card>
      <Card title="Adjust points" className="max-w-190">
        <ActionForm
          form={makeForm}
          shown={shown}
          submit="Adjust points"
          seen={{ key: newKey }}
          defaults={{ category: "Others", who: named }}
          reasonHint="The member reads it in their points log. It is kept for good."
        >
          {(field) => (
            <>
              <p className="text-ink-2">
                On your own you can give or take up to {formatNumber(page.alone.perDay)} points a day (UTC). You have{" "}
                {formatNumber(page.alone.left)} left today. Anything above that, or for yourself, needs another
                administrator to approve it.
              </p>
              <EmailField {...field("who")} label="Email or id of the member" type="text" autoComplete="off" />
              <div className="admin-pair">
                <Field
                  {...field("points")}
                  label="Points"
                  inputMode="text"
                  required
                  maxLength={12}
                  autoComplete="off"
                  hint="Use -50 to take 50 points. Write decimals with a dot."
                />
                <SelectField
                  {...field("category")}
                  label="Category"
                  options={category.unwrap().options.map((value) => ({ value, label: value }))}
                />
              </div>
            </>
          )}
        </ActionForm>
      </Card>
    </div>
  ),
});

const TONES: Record<AdjustmentRequest["state"], PillTone> = {
  waiting: "info",
  approved: "good",
  declined: "mute",
  expired: "mute",
  void: "warn",
};

const NONE = {
  waiting: "No adjustment is waiting for a second administrator.",
  all: "No adjustment has needed a second administrator yet.",
};

type RequestsProps = { page: AdjustmentRequests; none: string; shown: Shown };

function Requests({ page: { items }, none, shown }: RequestsProps) {
  if (items.length === 0) return <EmptyState title="Nothing here" text={none} />;
  return (
    <Table
      caption="Adjustments that need two administrators"
      rows={items}
      rowKey={({ id }) => id}
      columns={listColumns(shown)}
    />
  );
}

const MemberCell = ({ member, category: of, reason }: AdjustmentRequest) => (
  <div className="grid min-w-48 gap-0.5">
    <MemberLink member={member} />
    <span className="text-note wrap-anywhere text-ink-2">
      {of}. {reason}
    </span>
  </div>
);

const RequestedCell = ({ requestedAt, requestedBy }: AdjustmentRequest) => (
  <>
    <Moment at={requestedAt} />
    <span className="block text-note wrap-anywhere text-ink-2">by {formatActor(requestedBy)}</span>
  </>
);

function StateCell({ state, expiresAt, decidedAt, decidedBy }: AdjustmentRequest) {
  return (
    <div className="grid justify-items-start gap-0.5">
      <Pill tone={TONES[state]}>{capitalize(state)}</Pill>
      <span className="text-note wrap-anywhere text-ink-2">
        {decidedBy && (
          <>
            <Moment at={decidedAt} />
            <span className="block">by {formatActor(decidedBy)}</span>
          </>
        )}
        {state === "waiting" && (
          <>
            until <Moment at={expiresAt} />
          </>
        )}
        {state === "void" && "The administrator who requested it has since lost the role."}
      </span>
    </div>
  );
}

const isOpen = ({ state }: Pick<AdjustmentRequest, "state">) => state !== "approved" && state !== "declined";

/** Administrators cannot approve their own requests. */
const canApprove = ({ isOwn, state }: Pick<AdjustmentRequest, "isOwn" | "state">) => state === "waiting" && !isOwn;

const canDecide = (row: AdjustmentRequest, intent: string | undefined) =>
  intent === approveForm.intent ? canApprove(row) : isOpen(row);

function Decide({ request, shown }: { request: AdjustmentRequest; shown: Shown }) {
  const { id, isOwn, member, points, state } = request;
  if (!isOpen({ state })) return "–";
  if (member.id === shown.administrator.id && !isOwn) return "These points are yours: another administrator decides.";
  const about = { about: id, hidden: { id }, shown, reasonHint: MEMBER_HINT };
  const row = describeChange(request);
  return (
    <div className="grid gap-1">
      {canApprove({ isOwn, state }) && (
        <Folded title="Approve" about={row} isOpen={isReturned(shown, approveForm, id)}>
          <ActionForm form={approveForm} {...about} submit={`Post ${formatCount(points, "point", formatChange)}`} />
        </Folded>
      )}
      <Folded title={isOwn ? "Withdraw" : "Decline"} about={row} isOpen={isReturned(shown, declineForm, id)}>
        <ActionForm form={declineForm} {...about} submit={isOwn ? "Withdraw" : "Decline"} />
      </Folded>
    </div>
  );
}

const listColumns = (shown: Shown): Column<AdjustmentRequest>[] => [
  { head: "Member", cell: MemberCell },
  { head: "Points", align: "end", className: "num", cell: ({ points }) => formatChange(points) },
  { head: "Requested", cell: RequestedCell, className: "min-w-52" },
  { head: "State", cell: StateCell, className: "min-w-52" },
  { head: "Actions", cell: (row) => <Decide request={row} shown={shown} /> },
];
