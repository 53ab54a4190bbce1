import { parseWithZod } from "@conform-to/zod/v4";
import { redirect } from "react-router";
import * as z from "zod";
import {
  CreateSmartAccountInput,
  MachineIdSignatureInput,
  type DeployTypedData,
  type ExecuteTypedData,
} from "../../server/machine-id/contract.ts";
import { ApiError, toApiError } from "../api/api-error.ts";
import type { ApiClient } from "../client/client.ts";
import { apiContext, logContext, sessionContext } from "../page/context.ts";
import { getPageReads } from "../page/page-reads.ts";
import { readForm } from "../forms/checked-form.ts";
import { MEMBER_FIELD } from "../session/member-field.ts";
import { loadForMember } from "../page/member-page.ts";
import { say } from "../outcome/outcome.ts";
import { TOAST } from "../outcome/toast-words.ts";
import type { Route } from "./+types/machine-id.route";
import { userQuery } from "../member/reads.ts";

/** What was begun, and what the owner signs next, where that is so. */
export type MachineIdAnswer = { message: string; typedData?: DeployTypedData | ExecuteTypedData };

const Form = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("request-smart-account") }),
  CreateSmartAccountInput.extend({ intent: z.literal("create-smart-account") }),
  z.object({ intent: z.literal("request-machine-id") }),
  MachineIdSignatureInput.extend({ intent: z.literal("sign-machine-id") }),
]);

const SIGNED_OUT = "You must be logged in to create a Machine ID";

/** There is no page here: what it would say is on the profile. Whoever is signed out is told so where they sign in. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { get, read } = getPageReads(context);
  try {
    await loadForMember({ context, url: new URL("/profile", url) }, () => get(userQuery(read)));
  } catch (error) {
    if (!(error instanceof Response)) return redirect(PAGE);
    say(context, TOAST, "machine-id-signed-out");
    throw error;
  }
  return redirect(PAGE);
}

const PAGE = "/profile#identity";

/**
 * Takes in what a wallet has signed, and what asks for something to sign. Only a script can send these forms, since
 * only a script can ask a wallet: it is answered in JSON, errors in the shape of the API's own.
 */
export async function action({ request, context }: Route.ActionArgs): Promise<Response> {
  const form = await readForm(request);
  const { session } = context.get(sessionContext);
  if (!session || form.get(MEMBER_FIELD) !== (session.userId ?? ""))
    return refuse(new ApiError(SIGNED_OUT, "UNAUTHENTICATED", 401));
  const submission = parseWithZod(form, { schema: Form });
  if (submission.status !== "success") {
    const [message] = Object.values(submission.error ?? {}).flat();
    return refuse(new ApiError(message ?? "That form is not complete.", "VALIDATION_ERROR", 400));
  }
  try {
    return Response.json(await send(context.get(apiContext).machineId, submission.value), { headers: NO_STORE });
  } catch (error) {
    const failure = toApiError(error);
    if (failure.status >= 500) context.get(logContext).error({ err: error }, "A Machine ID form could not be sent on");
    return refuse(failure);
  }
}

type Input = z.output<typeof Form>;

/** What begins here cannot be had: the words are the specification's (section 8). */
const FAILED = {
  "request-smart-account": "Failed to create Smart Account",
  "create-smart-account": "Failed to create Smart Account",
  "request-machine-id": "Failed to initiate DID creation",
  "sign-machine-id": "Failed to create Machine ID",
} as const satisfies Record<Input["intent"], string>;

async function send(machineId: ApiClient["machineId"], input: Input): Promise<MachineIdAnswer> {
  const answer = await ask(machineId, input);
  // A refusal of the kind that comes with status 200.
  if (!answer.success)
    throw new ApiError(answer.message || FAILED[input.intent], "API_ERROR", 422, { fromServer: true });
  return answer;
}

async function ask(machineId: ApiClient["machineId"], input: Input): Promise<MachineIdAnswer & { success: boolean }> {
  if (input.intent === "request-smart-account") {
    const { typedData } = await machineId.smartAccountConsent();
    return { success: true, message: "", typedData };
  }
  if (input.intent === "create-smart-account") return machineId.createSmartAccount(input);
  if (input.intent === "sign-machine-id") return machineId.updateSignature(input.machineOwnerSignature);
  const { data, ...answer } = await machineId.request();
  return { ...answer, ...(data?.typedData && { typedData: data.typedData }) };
}

const NO_STORE = { "Cache-Control": "no-store" };

/** An error in the shape of the API's own. */
function refuse({ message, code, status }: ApiError): Response {
  return Response.json({ message, error: code, statusCode: status }, { status, headers: NO_STORE });
}
