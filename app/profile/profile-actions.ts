import { data, type RouterContextProvider } from "react-router";
import * as z from "zod";
import { ChangePasswordInput } from "../../server/auth/contract.ts";
import { SendCampaignEmailInput, VerifyCampaignEmailInput } from "../../server/campaign-mail/contract.ts";
import { DeviceInput } from "../../server/heartbeats/contract.ts";
import { ProfileInput } from "../../server/profile/contract.ts";
import { SilenceMail } from "../../server/silence-mail/contract.ts";
import { ApiError } from "../api/api-error.ts";
import { apiContext } from "../page/context.ts";
import { readForm } from "../forms/checked-form.ts";
import { actForMember } from "../page/member-page.ts";
import type { Session } from "../session/session.ts";
import { openCampaignCookie } from "./mail/campaign-cookie.ts";
import { receiveForm, showDone, type MadeKey } from "./profile-form.ts";

type Context = Readonly<RouterContextProvider>;
type ActionArgs = { request: Request; context: Context; url: URL };
type Asked = ActionArgs & { form: FormData; session: Session };

/** What is typed into these may come back after signing in again. */
const KEPT_FIELDS = ["email", ...Object.keys(ProfileInput.shape)];

/** Does what one of the profile's forms asks for; its field `intent` says which. */
export async function actOnProfile(args: ActionArgs) {
  const form = await readForm(args.request);
  return actForMember(args, { form, keep: KEPT_FIELDS }, (session) => {
    const intent = form.get("intent");
    const act = typeof intent === "string" && Object.hasOwn(ACTIONS, intent) ? ACTIONS[intent] : undefined;
    if (!act) throw data(null, { status: 400 });
    return act({ ...args, form, session });
  });
}

type Sent = Response | ReturnType<typeof data<{ made: MadeKey }>>;

const ACTIONS: Record<string, (asked: Asked) => ReturnType<typeof receiveForm<z.ZodType, Sent>>> = {
  details: saveDetails,
  device: makeDeviceKey,
  "device-revoke": revokeDeviceKey,
  "silence-mail": setSilenceMail,
  session: endOneSession,
  sessions: endOtherSessions,
  password: changePassword,
  "campaign-address": sendCampaignCode,
  "campaign-code": confirmCampaignAddress,
  "campaign-mail": setCampaignMail,
};

function saveDetails({ context, form }: Asked) {
  return receiveForm(context, { form, intent: "details", schema: ProfileInput }, async (details) => {
    await context.get(apiContext).users.update(details);
    return showDone(context, "details");
  });
}

/** The key is in this one answer, and nowhere after it. */
function makeDeviceKey({ context, form }: Asked) {
  return receiveForm(context, { form, intent: "device", schema: DeviceInput }, async ({ name }) => {
    const { deviceKey } = await context.get(apiContext).devices.register(name);
    return data<{ made: MadeKey }>({ made: { name, deviceKey } });
  });
}

function revokeDeviceKey({ context, form }: Asked) {
  const schema = z.object({ id: z.uuid("There is no such machine.") });
  return receiveForm(context, { form, intent: "device", schema }, async ({ id }) => {
    try {
      await context.get(apiContext).devices.revoke(id);
    } catch (error) {
      // It was revoked, which is what was asked for.
      if (!(error instanceof ApiError) || error.code !== "NOT_FOUND") throw error;
    }
    return showDone(context, "device-revoked");
  });
}

/** What the form calls never is no choice of hours. */
const SilenceInput = z.object({
  afterHours: z
    .enum(["1", "3", "12", "24"])
    .optional()
    .transform((hours) => SilenceMail.shape.afterHours.parse(hours ? Number(hours) : null)),
  tellsReturn: z.literal("on").optional(),
});

function setSilenceMail({ context, form }: Asked) {
  return receiveForm(context, { form, intent: "silence-mail", schema: SilenceInput }, async (input) => {
    const { afterHours, tellsReturn } = input;
    await context.get(apiContext).node.setSilenceMail({ afterHours, tellsReturn: tellsReturn === "on" });
    return showDone(context, afterHours === null ? "silence-off" : "silence-on");
  });
}

function endOneSession({ context, form }: Asked) {
  const schema = z.object({ id: z.uuid("There is no such session.") });
  return receiveForm(context, { form, intent: "sessions", schema }, async ({ id }) => {
    try {
      await context.get(apiContext).sessions.revoke(id);
    } catch (error) {
      // It has ended, which is what was asked for.
      if (!(error instanceof ApiError) || error.code !== "NOT_FOUND") throw error;
    }
    return showDone(context, "session");
  });
}

function endOtherSessions({ context, form }: Asked) {
  return receiveForm(context, { form, intent: "sessions", schema: z.object({}) }, async () => {
    await context.get(apiContext).sessions.revokeOthers();
    return showDone(context, "sessions");
  });
}

function changePassword({ context, form }: Asked) {
  return receiveForm(context, { form, intent: "password", schema: ChangePasswordInput }, async (input) => {
    await context.get(apiContext).sessions.changePassword(input);
    return showDone(context, "password");
  });
}

function sendCampaignCode({ context, form, session }: Asked) {
  return receiveForm(context, { form, intent: "campaign-address", schema: SendCampaignEmailInput }, async (input) => {
    const { token } = await context.get(apiContext).campaignMail.send(input.email);
    const cookie = await openCampaignCookie(context).commit({ token, member: session.userId ?? "" });
    return showDone(context, "campaign-code", [cookie]);
  });
}

const CodeInput = VerifyCampaignEmailInput.pick({ verificationCode: true });
const ASKED_ELSEWHERE = "This code was asked for in another browser. Type it there, or ask for another one here.";

function confirmCampaignAddress({ context, form, request, session }: Asked) {
  return receiveForm(context, { form, intent: "campaign-code", schema: CodeInput }, async ({ verificationCode }) => {
    const cookie = openCampaignCookie(context);
    const waiting = await cookie.read(request);
    if (waiting?.member !== (session.userId ?? "")) {
      throw new ApiError(ASKED_ELSEWHERE, "VALIDATION_ERROR", 400, { fields: { verificationCode: [ASKED_ELSEWHERE] } });
    }
    await context.get(apiContext).campaignMail.verify({ token: waiting.token, verificationCode });
    return showDone(context, "campaign-address", [await cookie.destroy()]);
  });
}

function setCampaignMail({ context, form }: Asked) {
  const schema = z.object({ subscribed: z.enum(["true", "false"]) });
  return receiveForm(context, { form, intent: "campaign-mail", schema }, async ({ subscribed }) => {
    await context.get(apiContext).campaignMail.subscribe(subscribed === "true");
    return showDone(context, subscribed === "true" ? "campaign-on" : "campaign-off");
  });
}
