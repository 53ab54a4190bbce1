import { expect, test } from "vitest";
import * as z from "zod";
import { keepAccount, requestDeletion } from "../../server/account-data/contract.ts";
import { changePassword, login } from "../../server/auth/contract.ts";
import { setCampaignMail } from "../../server/campaign-mail/contract.ts";
import { requestEmailChange, verifyEmailChange } from "../../server/email-change/contract.ts";
import { registerDevice, revokeDevice } from "../../server/heartbeats/contract.ts";
import type { Endpoint } from "../../server/http/contract.ts";
import { acceptPrivacy, acceptTerms } from "../../server/legal/contract.ts";
import {
  createSmartAccount,
  readSmartAccountConsent,
  requestMachineId,
  updateMachineIdSignature,
} from "../../server/machine-id/contract.ts";
import { updateProfile } from "../../server/profile/contract.ts";
import { claimReferral } from "../../server/referrals/contract.ts";
import { claimReward } from "../../server/rewards/contract.ts";
import { revokeOtherSessions, revokeSession } from "../../server/sessions/contract.ts";
import { setSilenceMail } from "../../server/silence-mail/contract.ts";
import { changeWallet, linkWallet } from "../../server/wallet/contract.ts";
import { visitSamples } from "../broken-responses.fixture.ts";
import { DECOY } from "./decoy.ts";
import { SAMPLE_USER } from "../../tests/support/samples/samples.ts";

const ID = "01890000-0000-7000-8000-000000000000";
const SIGNED = {
  intent: "submit",
  address: "0x52908400098527886E0F7030069857D2E4169EE7",
  message: "I link",
  signature: `0x${"2".repeat(130)}`,
};

type Sent = [endpoint: Endpoint, path: string, form: Record<string, string>];

const FORMS: Sent[] = [
  [login, "/auth", { email: SAMPLE_USER.email, password: "a pass phrase", turnstileToken: "bot-check-1", [DECOY]: "" }],
  [linkWallet, "/wallet/link", SIGNED],
  [changeWallet, "/wallet/change", SIGNED],
  [readSmartAccountConsent, "/machine-id", { intent: "request-smart-account" }],
  [
    createSmartAccount,
    "/machine-id",
    { intent: "create-smart-account", machineOwner: SAMPLE_USER.wallet.toLowerCase(), nonce: "1", signature: "0x3" },
  ],
  [requestMachineId, "/machine-id", { intent: "request-machine-id" }],
  [updateMachineIdSignature, "/machine-id", { intent: "sign-machine-id", machineOwnerSignature: "0x3" }],
  [updateProfile, "/profile", { intent: "details", full_name: "Ana" }],
  [registerDevice, "/profile", { intent: "device", name: "Attic" }],
  [revokeDevice, "/profile", { intent: "device-revoke", id: ID }],
  [setSilenceMail, "/profile", { intent: "silence-mail", afterHours: "3" }],
  [revokeSession, "/profile", { intent: "session", id: ID }],
  [revokeOtherSessions, "/profile", { intent: "sessions" }],
  [changePassword, "/profile", { intent: "password", currentPassword: "a pass phrase", password: "another phrase" }],
  [setCampaignMail, "/profile", { intent: "campaign-mail", subscribed: "true" }],
  [requestEmailChange, "/profile/email", { intent: "email", email: "ada@example.org", password: "a pass phrase" }],
  [verifyEmailChange, "/profile/email", { intent: "code", verificationCode: "123456" }],
  [requestDeletion, "/profile/delete", { intent: "delete", password: "a pass phrase", understood: "on" }],
  [keepAccount, "/profile/keep", {}],
  [claimReward, "/rewards", { intent: "claim", id: "follow" }],
  [claimReferral, "/referrals", { id: ID }],
  [acceptTerms, "/legal/terms", { accept: "on" }],
  [acceptPrivacy, "/legal/privacy", { accept: "on" }],
];

const MESSAGE = "The reason of the backend.";
const FAILED = "A form was refused";

/**
 * Sends a form whose call gets this response. Returns what is logged, and the names of the fields that the call sent.
 */
async function send([endpoint, path, form]: Sent, status: number, body: object) {
  const { pages, visitor } = await visitSamples();
  let brought: string[] = [];
  pages.override({ ...endpoint, path: pathOf(endpoint, form) }, async (request) => {
    brought = Object.keys(JSON.parse((await request.text()) || "{}") as object);
    return Response.json(body, { status });
  });
  if (endpoint === login) visitor.cookies.clear();
  await visitor.post(path, { member: SAMPLE_USER.id, ...form });
  return { log: pages.log, brought };
}

const namesIn = ({ body }: Endpoint) => (body instanceof z.ZodObject ? Object.keys(body.shape) : []);

const pathOf = ({ path }: Endpoint, { id = "" }: Record<string, string>): Endpoint["path"] =>
  `/${path.slice(1).replace("{id}", id)}`;

// specification: 8.12
test.each(FORMS)("$1, %#: logs a server failure as an error with its message", async (...sent) => {
  const { log } = await send(sent, 500, { message: MESSAGE, error: "INTERNAL_ERROR", statusCode: 500 });
  expect(log.error).toHaveBeenCalledExactlyOnceWith({ err: expect.objectContaining({ message: MESSAGE }) }, FAILED);
});

// specification: 7.7, 7.25, 7.27, 7.36
test.each(FORMS)("$1, %#: the call sends only the fields of its contract, none of the form's own", async (...sent) => {
  const { brought } = await send(sent, 200, {});
  expect(namesIn(sent[0])).toEqual(expect.arrayContaining(brought));
});

test.each(FORMS)("$1, %#: logs a refusal with its reason", async (...sent) => {
  const { log } = await send(sent, 409, { message: MESSAGE, error: "CONFLICT", statusCode: 409 });
  expect(log.info).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ reason: MESSAGE, status: 409 }), FAILED);
  expect(log.error).not.toHaveBeenCalled();
});

/** The calls whose response may say, with status 200, that they did not succeed. */
const WITH_RESULT: [endpoint: Endpoint, reason: string][] = [
  [linkWallet, "Failed to link wallet"],
  [createSmartAccount, MESSAGE],
  [requestMachineId, MESSAGE],
  [updateMachineIdSignature, MESSAGE],
  [claimReward, MESSAGE],
  [claimReferral, MESSAGE],
  [acceptTerms, MESSAGE],
  [acceptPrivacy, MESSAGE],
  [updateProfile, MESSAGE],
  [revokeDevice, MESSAGE],
  [setSilenceMail, MESSAGE],
  [revokeSession, MESSAGE],
  [revokeOtherSessions, MESSAGE],
  [changePassword, MESSAGE],
  [setCampaignMail, MESSAGE],
  [requestEmailChange, MESSAGE],
  [verifyEmailChange, MESSAGE],
  [requestDeletion, MESSAGE],
  [keepAccount, MESSAGE],
];

// specification: 8.12
test.each(WITH_RESULT)("%#: logs a 200 response without success with its reason", async (endpoint, reason) => {
  const sent = FORMS.find(([sentTo]) => sentTo === endpoint);
  if (!sent) throw new Error(`No form is sent to ${endpoint.path}`);
  const answer = { success: false, message: MESSAGE, status: "failed", data: { status: "pending" } };
  const { log } = await send(sent, 200, answer);
  expect(log.info).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ reason }), FAILED);
});

// specification: 5.25, 8.10, 8.12
test("logs an acceptance of the terms as failed if the response fails to parse", async () => {
  const { log } = await send([acceptTerms, "/legal/terms", { accept: "on" }], 200, { ok: true });
  expect(log.error).toHaveBeenCalledExactlyOnceWith(expect.anything(), "Parsed error");
  const reason = "Failed to parse response";
  expect(log.info).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ reason }), FAILED);
});
