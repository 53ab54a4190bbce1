import * as z from "zod";
import { CampaignState, type Campaign } from "../../../server/campaigns/contract.ts";
import type { CheckedField } from "../../forms/use-checked-form.ts";
import { Field } from "../../ui/controls/field.tsx";
import { MomentField, toTypedMoment, TypedMoment } from "../moment-field.tsx";
import { SelectField } from "../parts.tsx";
import { TypedPoints } from "../typed-points.ts";

/** A choice as a form sends it. Not a checkbox, which a form that comes back could not show unticked. */
export const YesOrNo = z.enum(["no", "yes"]).transform((choice) => choice === "yes");
export const YES_OR_NO = [
  { value: "no", label: "No" },
  { value: "yes", label: "Yes" },
];

const { name, formUrl, buttonText, type } = CampaignState.shape;

/** The fields of a campaign as a form sends them: numbers and times are text, and empty fields are missing. */
export const CAMPAIGN_FIELDS = {
  name,
  type,
  formUrl,
  bonusPoints: TypedPoints.pipe(CampaignState.shape.bonusPoints),
  taskNumber: z.coerce.number("Enter a whole number from 0 to 9.999.").pipe(CampaignState.shape.taskNumber),
  buttonText: buttonText
    .unwrap()
    .unwrap()
    .optional()
    .transform((text) => text ?? null),
  mandatory: YesOrNo,
  startsAt: TypedMoment,
  endsAt: TypedMoment,
};

type FieldName = keyof typeof CAMPAIGN_FIELDS;

/** Returns the initial values of the form. */
export const toDefaults = (campaign?: Campaign): Partial<Record<FieldName, string | null>> => ({
  name: campaign?.name ?? null,
  type: campaign?.type ?? "form",
  formUrl: campaign?.formUrl ?? null,
  bonusPoints: campaign ? String(campaign.bonusPoints) : null,
  taskNumber: campaign ? String(campaign.taskNumber) : "1",
  buttonText: campaign?.buttonText ?? null,
  mandatory: campaign?.mandatory ? "yes" : "no",
  startsAt: campaign?.startsAt ? toTypedMoment(campaign.startsAt) : null,
  endsAt: campaign?.endsAt ? toTypedMoment(campaign.endsAt) : null,
});

/** Renders the fields of a campaign, except its id. */
export const CampaignFields = ({ field }: { field: (name: FieldName) => CheckedField }) => (
  <>
    <Field {...field("name")} label="Name" required maxLength={120} />
    <Field
      {...field("formUrl")}
      label="Form URL"
      type="url"
      required
      maxLength={500}
      placeholder="https://"
      hint="The page where members complete it."
    />
    <div className="admin-pair">
      <Field
        {...field("bonusPoints")}
        label="Points"
        inputMode="decimal"
        required
        maxLength={12}
        hint="Write decimals with a dot."
      />
      <Field {...field("taskNumber")} label="Task number" type="number" min={0} max={9999} required />
    </div>
    <div className="admin-pair">
      <MomentField
        {...field("startsAt")}
        label="Starts"
        hint="Leave empty for no start. What was completed before today then counts too."
      />
      <MomentField {...field("endsAt")} label="Ends" hint="Leave empty for no end." />
    </div>
    <div className="admin-pair">
      <Field {...field("buttonText")} label="Button text" maxLength={40} hint="Leave empty for the standard text." />
      <SelectField {...field("mandatory")} label="Required" options={YES_OR_NO} />
    </div>
    <Field
      {...field("type")}
      label="Type"
      required
      maxLength={40}
      hint="With “3 friends” the button leads to Referrals, with “uptime” to Agent Insights, with “profile” to the profile. With any other word, such as “social”, it opens the form."
    />
  </>
);
