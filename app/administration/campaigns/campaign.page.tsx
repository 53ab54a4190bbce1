import * as z from "zod";
import {
  MAX_COUNTED,
  type CampaignCompletions,
  type CampaignDetail,
  type CampaignEmails,
} from "../../../server/campaigns/contract.ts";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { formatCount, formatNumber } from "../../ui/number/number.ts";
import { Table, type Column } from "../../ui/table/table.tsx";
import { ActionForm, Folded, isReturned } from "../action-form.tsx";
import { ListPager } from "../list-pager.tsx";
import { defineForm, definePage, type Shown } from "../page.ts";
import { AuditLink, Facts, StaleFormNotice, MemberLink, Moment } from "../parts.tsx";
import { CAMPAIGN_FIELDS, CampaignFields, toDefaults } from "./campaign-form.tsx";
import { CampaignPill } from "./campaigns.page.tsx";

const changeForm = defineForm({
  intent: "change-campaign",
  schema: z.object({ ...CAMPAIGN_FIELDS, seen: z.string() }),
  async send(change, { api, params: { id = "" } }) {
    await api.campaigns.change(id, change);
    return { note: "campaign-changed", about: id };
  },
});

const endForm = defineForm({
  intent: "end-campaign",
  schema: z.object({}),
  confirm: "I understand that nobody can complete it from now on.",
  async send({ reason }, { api, params: { id = "" } }) {
    await api.campaigns.end(id, { reason });
    return { note: "campaign-ended", about: id };
  },
});

export const campaignPage = definePage({
  path: "campaigns/:id",
  title: "Campaign",
  within: "campaigns",
  async load({ api, params: { id = "" }, query }) {
    const detail = await api.campaigns.read(id);
    return { detail, completions: await api.campaigns.completions(id, { after: query.get("after") ?? undefined }) };
  },
  forms: [changeForm, endForm],
  Page: ({ data: { detail, completions }, shown }) => (
    <div className="admin-columns">
      <div className="grid gap-4.5">
        <StaleFormNotice shown={shown} forms={[endForm]} isDrawn={() => detail.campaign.state !== "ended"} />
        <About detail={detail} />
        <Completions completions={completions} shown={shown} />
      </div>
      <Card title="Actions">
        <div className="admin-folds">
          <Folded title="Edit the campaign" isOpen={isReturned(shown, changeForm)}>
            <ActionForm
              form={changeForm}
              shown={shown}
              submit="Save"
              seen={{ seen: detail.seen }}
              defaults={toDefaults(detail.campaign)}
            >
              {(field) => <CampaignFields field={field} />}
            </ActionForm>
          </Folded>
          {detail.campaign.state !== "ended" && (
            <Folded title="End the campaign" isOpen={isReturned(shown, endForm)}>
              <ActionForm form={endForm} shown={shown} submit="End the campaign" />
            </Folded>
          )}
        </div>
      </Card>
    </div>
  ),
});

const orMore = (count: number) => (count < MAX_COUNTED ? "" : " or more");

/** Says how far the emails about a campaign are. */
function describeEmails({ state, members }: CampaignEmails): string {
  if (state === "off") return "Members are not emailed";
  if (state === "waiting") return "Members are emailed when it starts";
  if (state === "sending") return `${formatCount(members, "member")} emailed so far`;
  return `${formatCount(members, "member")} ${members === 1 ? "was" : "were"} emailed`;
}

const About = ({ detail: { campaign, completed, claimed, emails } }: { detail: CampaignDetail }) => (
  <Card title={campaign.name} aside={<CampaignPill state={campaign.state} />}>
    <Facts
      facts={[
        ["Id", campaign.id],
        ["Type", campaign.type],
        ["Form", campaign.formUrl],
        ["Points", formatNumber(campaign.bonusPoints)],
        ["Task number", campaign.taskNumber],
        ["Required", campaign.mandatory ? "Yes" : "No"],
        ["Button text", campaign.buttonText ?? "Standard text"],
        ["Starts", campaign.startsAt ? <Moment key="starts" at={campaign.startsAt} /> : "No start"],
        ["Ends", campaign.endsAt ? <Moment key="ends" at={campaign.endsAt} /> : "No end"],
        ["Completed by", `${formatCount(completed, "member")}${orMore(completed)}`],
        ["Claimed by", `${formatNumber(claimed)}${orMore(claimed)} of them`],
        ["Emails", emails ? describeEmails(emails) : "Unknown"],
        ["Changes", <AuditLink key="log" subject="campaign" id={campaign.id} />],
      ]}
    />
  </Card>
);

type CompletionsProps = { completions: CampaignCompletions; shown: Shown };

const Completions = ({ completions: { items, next }, shown }: CompletionsProps) => (
  <Card title="Completions" padded={false}>
    {items.length === 0 ? (
      <EmptyState title="Nobody yet" text="Members who complete the campaign appear here, latest first." />
    ) : (
      <Table caption="Completions, latest first" rows={items} rowKey={({ member }) => member.id} columns={COLUMNS} />
    )}
    <ListPager url={shown.url} next={next} />
  </Card>
);

const COLUMNS: Column<CampaignCompletions["items"][number]>[] = [
  { head: "Member", cell: ({ member }) => <MemberLink member={member} /> },
  { head: "Completed", cell: ({ completedAt }) => <Moment at={completedAt} /> },
  { head: "Claimed", cell: ({ claimedAt }) => (claimedAt ? <Moment at={claimedAt} /> : "Not yet") },
];
