import * as z from "zod";
import { NewCampaign, type Campaign } from "../../../server/campaigns/contract.ts";
import { Card } from "../../ui/card.tsx";
import { ButtonLink } from "../../ui/controls/button.tsx";
import { Field } from "../../ui/controls/field.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Link } from "../../ui/link.tsx";
import { formatNumber } from "../../ui/number/number.ts";
import { Pill, type PillTone } from "../../ui/pill.tsx";
import { Table, type Column } from "../../ui/table/table.tsx";
import { ActionForm } from "../action-form.tsx";
import { ListPager } from "../list-pager.tsx";
import { defineForm, definePage } from "../page.ts";
import { Moment, SelectField, capitalize } from "../parts.tsx";
import { CAMPAIGN_FIELDS, CampaignFields, toDefaults, YES_OR_NO, YesOrNo } from "./campaign-form.tsx";

const makeForm = defineForm({
  intent: "make-campaign",
  schema: z.object({
    id: NewCampaign.shape.id,
    ...CAMPAIGN_FIELDS,
    // A form from before there was this choice says nothing, and emails nobody.
    emailMembers: YesOrNo.default(false),
  }),
  async send(campaign, { api }) {
    const { id } = await api.campaigns.create(campaign);
    return { note: "campaign-made", about: id, to: `/admin/campaigns/${id}` };
  },
});

const PAGE = 50;

export const campaignsPage = definePage({
  path: "campaigns",
  title: "Campaigns",
  navigation: { label: "Campaigns", icon: "gift" },
  async load({ api, query }) {
    const found = await api.campaigns.list({ after: query.get("after") ?? undefined, limit: String(PAGE + 1) });
    const campaigns = found.slice(0, PAGE);
    // We asked for one more than we show, to know whether there is another page.
    return { campaigns, next: found.length > PAGE ? (campaigns.at(-1)?.id ?? null) : null };
  },
  forms: [makeForm],
  Page: ({ data: { campaigns, next }, shown }) => (
    <div className="grid gap-4.5">
      <Card
        title="Campaigns"
        padded={false}
        aside={
          <span className="ms-auto">
            <ButtonLink to="/admin/completions" size="sm">
              Import completions
            </ButtonLink>
          </span>
        }
      >
        {campaigns.length === 0 ? (
          <EmptyState title="No campaign yet" text="Create the first one below." />
        ) : (
          <Table caption="Campaigns" rows={campaigns} rowKey={({ id }) => id} columns={COLUMNS} />
        )}
        <ListPager url={shown.url} next={next} />
      </Card>
      <Card title="Create a campaign" className="max-w-190">
        <ActionForm
          form={makeForm}
          shown={shown}
          submit="Create the campaign"
          defaults={{ ...toDefaults(), emailMembers: "yes" }}
        >
          {(field) => (
            <>
              <Field
                {...field("id")}
                label="Id"
                required
                maxLength={64}
                pattern="[a-z0-9][a-z0-9\-]*"
                title="Lowercase letters, digits and hyphens"
                autoComplete="off"
                hint="Lowercase letters, digits and hyphens. Files and webhooks use it as the name, and it never changes."
              />
              <CampaignFields field={field} />
              <SelectField
                {...field("emailMembers")}
                label="Email members when it starts"
                options={YES_OR_NO}
                hint="Only those who get campaign emails. You cannot change this later."
              />
            </>
          )}
        </ActionForm>
      </Card>
    </div>
  ),
});

const NameCell = ({ id, name }: Campaign) => (
  <>
    <Link to={`/admin/campaigns/${encodeURIComponent(id)}`} className="admin-name font-strong underline">
      {name}
    </Link>
    <span className="block text-note wrap-anywhere text-ink-3">{id}</span>
  </>
);

const TONES: Record<Campaign["state"], PillTone> = { running: "good", scheduled: "info", ended: "mute" };

export const CampaignPill = ({ state }: Pick<Campaign, "state">) => (
  <Pill tone={TONES[state]}>{capitalize(state)}</Pill>
);

const COLUMNS: Column<Campaign>[] = [
  // As narrow as its heading. In a wide column the numbers, aligned right, would be far from the card's edge.
  { head: "Task", align: "end", className: "num w-px", cell: ({ taskNumber }) => taskNumber },
  { head: "Name", cell: NameCell },
  { head: "State", cell: ({ state }) => <CampaignPill state={state} /> },
  { head: "Points", align: "end", className: "num", cell: ({ bonusPoints }) => formatNumber(bonusPoints) },
  { head: "Starts", cell: ({ startsAt }) => <Moment at={startsAt} /> },
  { head: "Ends", cell: ({ endsAt }) => <Moment at={endsAt} /> },
];
