import { redirect } from "react-router";
import * as z from "zod";
import {
  CreateSmartAccountInput,
  MachineIdSignatureInput,
  type DeployTypedData,
  type ExecuteTypedData,
} from "../../server/machine-id/contract.ts";
import { ApiError } from "../api/api-error.ts";
import type { ApiClient } from "../client/client.ts";
import { readDeploy, readExecute, type IdentityContracts } from "../client/typed-data.ts";
import { readForm } from "../forms/receive.ts";
import { receiveFromScript } from "../forms/script-form.ts";
import { apiContext, contractsContext } from "../page/context.ts";
import { notAsShown } from "../wallet/sign/not-as-shown.ts";
import type { Route } from "./+types/machine-id.route";

/** What was begun, and what the owner signs next, if anything. */
export type MachineIdResponse = { message: string; typedData?: DeployTypedData | ExecuteTypedData };

const Form = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("request-smart-account") }),
  CreateSmartAccountInput.extend({ intent: z.literal("create-smart-account") }),
  z.object({ intent: z.literal("request-machine-id") }),
  MachineIdSignatureInput.extend({ intent: z.literal("sign-machine-id") }),
]);

/** There is no page here. The profile shows what it would say. */
export const loader = () => redirect("/profile#identity");

/** Receives what a wallet has signed, and requests for something to sign. */
export async function action({ request, context, url }: Route.ActionArgs): Promise<Response> {
  const form = await readForm(request);
  return receiveFromScript({ context, url }, { form, schema: Form, signedOut: "machine-id-signed-out" }, (input) =>
    send(context.get(apiContext).machineId, input, context.get(contractsContext)),
  );
}

type Input = z.output<typeof Form>;

/** What to say if a step fails without a message, in the words of the specification (section 8). */
const FAILED = {
  "request-smart-account": "Failed to create Smart Account",
  "create-smart-account": "Failed to create Smart Account",
  "request-machine-id": "Failed to initiate DID creation",
  "sign-machine-id": "Failed to create Machine ID",
} as const satisfies Record<Input["intent"], string>;

async function send(
  machineId: ApiClient["machineId"],
  input: Input,
  contracts: IdentityContracts,
): Promise<MachineIdResponse> {
  const answer = await callMachineId(machineId, input, contracts);
  // A refusal that comes with status 200.
  if (!answer.success)
    throw new ApiError(answer.message || FAILED[input.intent], "API_ERROR", 422, { fromServer: true });
  return answer;
}

async function callMachineId(
  machineId: ApiClient["machineId"],
  input: Input,
  contracts: IdentityContracts,
): Promise<MachineIdResponse & { success: boolean }> {
  if (input.intent === "request-smart-account") {
    const { typedData } = await machineId.smartAccountConsent();
    return { success: true, message: "", ...toSign(typedData, (given) => readDeploy(given, contracts)) };
  }
  if (input.intent === "create-smart-account") {
    const { machineOwner, nonce, signature } = input;
    return machineId.createSmartAccount({ machineOwner, nonce, signature });
  }
  if (input.intent === "sign-machine-id") return machineId.updateSignature(input.machineOwnerSignature);
  const { data, ...answer } = await machineId.request();
  return { ...answer, ...toSign(data?.typedData, readExecute) };
}

/**
 * Lets a wallet sign nothing else, whatever the backend wants signed: the backend may be someone else's by now. Checked
 * here, and not in the browser, because this process is ours as the page is, and knows what the network's contracts are.
 */
function toSign(
  given: unknown,
  read: (given: unknown) => DeployTypedData | ExecuteTypedData | undefined,
): Pick<MachineIdResponse, "typedData"> {
  if (!given) return {};
  const typedData = read(given);
  if (typedData) return { typedData };
  throw notAsShown("The backend wants something signed that is neither a Smart Account nor a Machine ID");
}
