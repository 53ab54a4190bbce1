import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type {
  DeployTypedData,
  ExecuteTypedData,
  MachineIdStatus,
  SmartAccountStatus,
} from "../../server/machine-id/contract.ts";
import { ApiError, toApiError } from "../api/api-error.ts";
import { refreshReads } from "../cache/query-client.ts";
import { showToast } from "../ui/toast/toast.ts";
import { sendForm } from "../session/send-form.ts";
import { isSameAddress } from "../wallet/same-address.ts";
import { notAsShown } from "../wallet/sign/not-as-shown.ts";
import { prepareOwner, signAsOwner } from "../wallet/sign/sign-as-owner.ts";
import { NO_WALLET, WalletError, wordsOf } from "../wallet/wallet-error.ts";
import type { Read } from "../cache/read.ts";
import type { MachineIdResponse } from "./machine-id.route.ts";
import { NOT_NOW } from "./not-now.ts";
import { machineIdStatusQuery, smartAccountQuery } from "./reads.ts";

export type CreationKind = "smart-account" | "machine-id";

/** What is under way in this tab (product specification, section 4: local creation state). */
export type Creation =
  | { state: "idle" }
  | { state: "creating"; waitsForWallet: boolean }
  | { state: "success"; kind: CreationKind }
  /** `isToasted`: whether a toast says the same. */
  | { state: "error"; text: string; isToasted: boolean };

/** What a creation needs, and where it reports. */
type CreationTools = {
  /** The id of the signed-in member. */
  member: string;
  /** The address of the linked wallet, which owns the account. */
  linked: string | null;
  read: Read;
  client: QueryClient;
  setCreation: (creation: Creation) => void;
  /** Whether what is reported is on screen: a dialog that was closed leaves its wallet's prompt open. */
  isShown: () => boolean;
};

/** When to look again after a creation, in milliseconds. A fast network may be done by then, before the next poll. */
const REFRESH_DELAYS_MS = [2000, 5000];

/** Has the owner consent to a Smart Account, and submits the consent. */
export const createSmartAccount = (tools: CreationTools): Promise<void> =>
  create(tools, smartAccount(tools), async ({ linked, sign }) => {
    const { typedData } = await send(tools, { intent: "request-smart-account" });
    if (typedData?.primaryType !== "DeployMachineSmartAccount") throw nothingToSign();
    // Checked here, because only the page knows which wallet it shows. The server has checked the rest.
    if (!isSameAddress(typedData.message.machineOwner, linked)) throw notAsShown("The account is for another wallet");
    const { address, signature } = await sign(typedData);
    await send(tools, {
      intent: "create-smart-account",
      machineOwner: address.toLowerCase(),
      nonce: typedData.message.nonce,
      signature,
    });
    // Shows what the server has said. The rest is read in a moment, unless a live event has already brought it.
    const { queryKey } = smartAccountQuery(tools.read);
    await giveUpReading(tools, queryKey);
    tools.client.setQueryData<SmartAccountStatus>(queryKey, (known) =>
      known && known.status !== "completed" ? { ...known, status: "pending" } : known,
    );
    return "Smart Account creation queued";
  });

/** Begins a Machine ID, or continues one that was begun, and submits the owner's signature. */
export const createMachineId = (tools: CreationTools): Promise<void> =>
  create(tools, machineId(tools), async ({ prepare, sign, failsWith }) => {
    // Comes first, so that nothing begins that the wallet could not sign.
    await prepare();
    const { typedData } = await send(tools, { intent: "request-machine-id" });
    if (!typedData) throw nothingToSign();
    failsWith("Failed to create Machine ID");
    // From here on, the status says in every tab that it waits for a signature.
    await tools.client.invalidateQueries({ queryKey: [machineIdStatusQuery.path] });
    const { signature } = await sign(typedData);
    await send(tools, { intent: "sign-machine-id", machineOwnerSignature: signature });
    const { queryKey } = machineIdStatusQuery(tools.read);
    await giveUpReading(tools, queryKey);
    tools.client.setQueryData<MachineIdStatus>(queryKey, (known) =>
      known?.status === "completed" ? known : { status: "pending" },
    );
    return "Machine ID creation initiated";
  });

/** Cancels a read that is under way: it was requested before the server said more, and would pass for newer. */
const giveUpReading = ({ client }: CreationTools, queryKey: QueryKey) => client.cancelQueries({ queryKey });

/**
 * Sends a form to the route that creates. A member who has been signed out leaves for the sign-in page, which says why.
 */
const send = ({ member }: CreationTools, fields: Record<string, string>) =>
  sendForm<MachineIdResponse>("/machine-id", member, Object.entries(fields));

const nothingToSign = () => new ApiError("There is nothing to sign.", "API_ERROR", 422);

type Steps = {
  linked: string;
  /** Prepares the wallet to sign. */
  prepare: () => Promise<unknown>;
  sign: (typedData: DeployTypedData | ExecuteTypedData) => Promise<{ address: string; signature: string }>;
  /** Sets what to call a failure from here on. */
  failsWith: (words: string) => void;
};

type Kind = {
  kind: CreationKind;
  /** What to say if it cannot begin. */
  failsAs: string;
  /** Reads how far it is by now, whoever began it. */
  readStatus: () => Promise<{ status: string | null }>;
};

const smartAccount = ({ read }: CreationTools): Kind => ({
  kind: "smart-account",
  failsAs: "Failed to create Smart Account",
  readStatus: () => read(smartAccountQuery, {}),
});

const machineId = ({ read }: CreationTools): Kind => ({
  kind: "machine-id",
  failsAs: "Failed to initiate DID creation",
  readStatus: () => read(machineIdStatusQuery, {}),
});

/** Runs a creation and reports the outcome. Reads again whatever may have changed, even after a failure. */
async function create(tools: CreationTools, made: Kind, run: (steps: Steps) => Promise<string>) {
  const { client, linked, setCreation } = tools;
  let words = made.failsAs;
  if (!linked) return fail(tools, NO_WALLET, NO_WALLET);
  try {
    const text = await run({
      linked,
      failsWith: (others) => {
        words = others;
      },
      prepare: () => promptWallet(setCreation, () => prepareOwner(linked)),
      sign: (typedData) => promptWallet(setCreation, () => signAsOwner({ linked, typedData })),
    });
    showToast(text, { tone: "success" });
    setCreation({ state: "success", kind: made.kind });
    for (const wait of REFRESH_DELAYS_MS) setTimeout(() => void refreshReads(client, "machine-id"), wait);
  } catch (error) {
    const failure = error instanceof WalletError ? error : toApiError(error);
    const elsewhere = isRefusal(failure) ? await findElsewhere(made) : null;
    if (elsewhere) {
      showToast(elsewhere);
      setCreation({ state: "idle" });
    } else explain(tools, failure, words);
    await refreshReads(client, "machine-id");
  }
}

async function promptWallet<Answer>(
  setCreation: CreationTools["setCreation"],
  ask: () => Promise<Answer>,
): Promise<Answer> {
  setCreation({ state: "creating", waitsForWallet: true });
  const answer = await ask();
  setCreation({ state: "creating", waitsForWallet: false });
  return answer;
}

const isRefusal = (failure: WalletError | ApiError) => failure instanceof ApiError && failure.fromServer;

/** Returns what another tab or device has already done, in words. Null if that is not why the server has refused. */
async function findElsewhere({ kind, readStatus }: Kind): Promise<string | null> {
  // If the status cannot be read, the refusal is all there is to say.
  const known = await readStatus().catch(() => null);
  return ELSEWHERE[kind][known?.status ?? ""] ?? null;
}

const ELSEWHERE: Record<CreationKind, Record<string, string>> = {
  "smart-account": {
    pending: "Your Smart Account is already being created. You started it in another tab or on another device.",
    completed: "You already have a Smart Account. You created it in another tab or on another device.",
  },
  "machine-id": {
    pending: "Your Machine ID is already being created. You signed it in another tab or on another device.",
    completed: "You already have a Machine ID. You created it in another tab or on another device.",
  },
};

/**
 * Explains a failure. The toast is the specification's (section 8); the text beside the button is the reason, if known.
 */
function explain(tools: CreationTools, error: WalletError | ApiError, words: string) {
  if (error instanceof WalletError) {
    // The dialog was closed, so nobody waits for this wallet any longer. What it has signed is submitted all the same.
    if (!tools.isShown()) return tools.setCreation({ state: "idle" });
    if (error.reason !== "failed" || error.toast) return fail(tools, error.toast, error.message);
    // Only the wallet's words may say what to do, such as to allow this kind of signature on the device with the key.
    const said = wordsOf(error);
    return fail(tools, words, said ? `${error.message} It says: ${said}` : error.message);
  }
  const { code, fromServer, message, status } = error;
  if (code === "NETWORK_ERROR" || status === 503) return fail(tools, NOT_NOW, NOT_NOW);
  return fail(tools, words, fromServer ? message : words);
}

function fail({ setCreation }: CreationTools, toast: string | null, text: string) {
  if (toast) showToast(toast, { tone: "error" });
  setCreation({ state: "error", text, isToasted: text === toast });
}
