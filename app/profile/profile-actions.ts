import { data } from "react-router";
import * as z from "zod";
import { ChangePasswordInput } from "../../server/auth/contract.ts";
import { SendCampaignEmailInput, VerifyCampaignEmailInput } from "../../server/campaign-mail/contract.ts";
import { DeviceInput } from "../../server/heartbeats/contract.ts";
import { ProfileInput } from "../../server/profile/contract.ts";
import { SilenceMail } from "../../server/silence-mail/contract.ts";
import { ApiError } from "../api/api-error.ts";
import { apiContext, type RequestArgs } from "../page/context.ts";
import { NO_FIELDS, readForm } from "../forms/receive.ts";
import type { Session } from "../session/session.ts";
import { createKey } from "../start-node/create-key.ts";
import { openCampaignCookie } from "./mail/campaign-cookie.ts";
import { receiveForm, showDone } from "./profile-form.ts";

type ProfileRequest = RequestArgs & { session: Session };
type Sent = Response | Awaited<ReturnType<typeof createKey>>;

/** Handles the forms of the profile. The field `intent` says which form it is. */
export async function actOnProfile(args: RequestArgs) {
  const form = await readForm(args.request);
  const intent = form.get("intent");
  const act = typeof intent === "string" && Object.hasOwn(ACTIONS, intent) ? ACTIONS[intent] : undefined;
  if (typeof intent !== "string" || !act) throw data(null, { status: 400 });
  return act(args, form, intent);
}

/**
 * Defines the action of a form with this schema. `shownIn`: the intent of the section that shows a refusal, if it is
 * not the form's own.
 */
const define =
  <Shape extends z.ZodType>(
    schema: Shape,
    send: (asked: ProfileRequest, input: z.output<Shape>) => Promise<Sent>,
    shownIn?: string,
  ) =>
  (args: RequestArgs, form: FormData, intent: string) =>
    receiveForm(args, { form, intent: shownIn ?? intent, schema }, (input, session) =>
      send({ ...args, session }, input),
    );

const ACTIONS: Record<string, ReturnType<typeof define>> = {
  details: define(ProfileInput, async ({ context }, details) => {
    await context.get(apiContext).users.update(details);
    return showDone(context, "details");
  }),

  device: define(DeviceInput, ({ context }, input) => createKey(context, input)),

  "device-revoke": define(
    z.object({ id: z.uuid("There is no such machine.") }),
    async ({ context }, { id }) => {
      await ignoreNotFound(context.get(apiContext).devices.revoke(id));
      return showDone(context, "device-revoked", { about: id });
    },
    "device",
  ),

  "silence-mail": define(
    z.object({
      // No hours means never.
      afterHours: z
        .enum(["1", "3", "12", "24"])
        .optional()
        .transform((hours) => SilenceMail.shape.afterHours.parse(hours ? Number(hours) : null)),
      tellsReturn: z.literal("on").optional(),
    }),
    async ({ context }, { afterHours, tellsReturn }) => {
      await context.get(apiContext).node.setSilenceMail({ afterHours, tellsReturn: tellsReturn === "on" });
      return showDone(context, afterHours === null ? "silence-off" : "silence-on");
    },
  ),

  session: define(
    z.object({ id: z.uuid("There is no such session.") }),
    async ({ context }, { id }) => {
      await ignoreNotFound(context.get(apiContext).sessions.revoke(id));
      return showDone(context, "session");
    },
    "sessions",
  ),

  sessions: define(NO_FIELDS, async ({ context }) => {
    await context.get(apiContext).sessions.revokeOthers();
    return showDone(context, "sessions");
  }),

  password: define(ChangePasswordInput, async ({ context }, input) => {
    await context.get(apiContext).sessions.changePassword(input);
    return showDone(context, "password");
  }),

  "campaign-address": define(SendCampaignEmailInput, async ({ context, session }, { email }) => {
    const { token } = await context.get(apiContext).campaignMail.send(email);
    const cookie = await openCampaignCookie(context).commit({ token, member: session.userId ?? "" });
    return showDone(context, "campaign-code", { cookies: [cookie] });
  }),

  "campaign-code": define(
    VerifyCampaignEmailInput.pick({ verificationCode: true }),
    async ({ context, request, session }, { verificationCode }) => {
      const cookie = openCampaignCookie(context);
      const waiting = await cookie.read(request);
      if (waiting?.member !== (session.userId ?? "")) {
        const fields = { verificationCode: [REQUESTED_ELSEWHERE] };
        throw new ApiError(REQUESTED_ELSEWHERE, "VALIDATION_ERROR", 400, { fields });
      }
      await context.get(apiContext).campaignMail.verify({ token: waiting.token, verificationCode });
      return showDone(context, "campaign-address", { cookies: [await cookie.destroy()] });
    },
  ),

  "campaign-mail": define(z.object({ subscribed: z.enum(["true", "false"]) }), async ({ context }, { subscribed }) => {
    await context.get(apiContext).campaignMail.subscribe(subscribed === "true");
    return showDone(context, subscribed === "true" ? "campaign-on" : "campaign-off");
  }),
};

const REQUESTED_ELSEWHERE = "You asked for this code in another browser. Enter it there, or ask for another one here.";

/** Ignores NOT_FOUND: what was to be revoked has already ended. */
const ignoreNotFound = (revoked: Promise<unknown>) =>
  revoked.catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== "NOT_FOUND") throw error;
  });
