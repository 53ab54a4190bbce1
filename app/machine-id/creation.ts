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
import { prepareOwner, signAsOwner } from "../wallet/sign/sign-as-owner.ts";
import { NO_WALLET, WalletError, wordsOf } from "../wallet/wallet-error.ts";
import type { Read } from "../cache/read.ts";
import type { MachineIdAnswer } from "./machine-id.route.ts";
import { NOT_NOW } from "./not-now.ts";
import { machineIdStatusQuery, smartAccountQuery } from "./reads.ts";

export type CreationKind = "smart-account" | "machine-id";

/** What is under way in this tab (product specification, section 4: local creation state). */
export type Creation =
  | { state: "idle" }
  | { state: "creating"; waitsForWallet: boolean }
  | { state: "success"; kind: CreationKind }
  | { state: "error"; text: string };

/** What a creation needs, and whom it tells. */
type CreationTools = {
  /** The id of the signed-in member. */
  member: string;
  /** The address of the linked wallet, which owns the account. */
  linked: string | null;
  read: Read;
  client: QueryClient;
  tell: (creation: Creation) => void;
};

/** Milliseconds after a creation at which a fast network may be done: members need not wait for the next poll. */
const LOOKS = [2000, 5000];

/** Has the owner consent to a Smart Account, and hands the consent in. */
export const createSmartAccount = (tools: CreationTools): Promise<void> =>
  create(tools, smartAccount(tools), async ({ sign }) => {
    const { typedData } = await send(tools, { intent: "request-smart-account" });
    if (typedData?.primaryType !== "DeployMachineSmartAccount") throw nothingToSign();
    const { address, signature } = await sign(typedData);
    await send(tools, {
      intent: "create-smart-account",
      machineOwner: address.toLowerCase(),
      nonce: typedData.message.nonce,
      signature,
    });
    // What the server has said; the rest of it is read in a moment, unless a live event has brought it already.
    const { queryKey } = smartAccountQuery(tools.read);
    await giveUpReading(tools, queryKey);
    tools.client.setQueryData<SmartAccountStatus>(queryKey, (known) =>
      known && known.status !== "completed" ? { ...known, status: "pending" } : known,
    );
    return "Smart Account creation queued";
  });

/** Begins a Machine ID, or goes on with one that was begun, and hands the owner's signature in. */
export const createMachineId = (tools: CreationTools): Promise<void> =>
  create(tools, machineId(tools), async ({ prepare, sign, failsWith }) => {
    // What the wallet could not sign is not begun.
    await prepare();
    const { typedData } = await send(tools, { intent: "request-machine-id" });
    if (!typedData) throw nothingToSign();
    failsWith("Failed to create Machine ID");
    // The status says from here on that a signature is awaited, in every tab.
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

/** Gives up a read that is under way: it was asked for before the server said more, and would pass for newer. */
const giveUpReading = ({ client }: CreationTools, queryKey: QueryKey) => client.cancelQueries({ queryKey });

/** To the route that creates. Whoever is signed out by now leaves for where they sign in, which says why. */
const send = ({ member }: CreationTools, fields: Record<string, string>) =>
  sendForm<MachineIdAnswer>("/machine-id", member, Object.entries(fields));

const nothingToSign = () => new ApiError("There is nothing to sign.", "API_ERROR", 422);

type Steps = {
  /** Has the wallet ready to sign. */
  prepare: () => Promise<unknown>;
  sign: (typedData: DeployTypedData | ExecuteTypedData) => Promise<{ address: string; signature: string }>;
  /** What a failure is called from here on. */
  failsWith: (words: string) => void;
};

type Kind = {
  kind: CreationKind;
  /** What is said when it cannot be begun. */
  failsAs: string;
  /** How far it is by now, whoever began it. */
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

/** Runs a creation and says what came of it. Whatever it may have changed is read again, also after a failure. */
async function create(tools: CreationTools, made: Kind, run: (steps: Steps) => Promise<string>) {
  const { client, linked, tell } = tools;
  let words = made.failsAs;
  if (!linked) return fail(tools, NO_WALLET, NO_WALLET);
  try {
    const text = await run({
      failsWith: (others) => {
        words = others;
      },
      prepare: () => askWallet(tell, () => prepareOwner(linked)),
      sign: (typedData) => askWallet(tell, () => signAsOwner({ linked, typedData })),
    });
    showToast(text, { tone: "success" });
    tell({ state: "success", kind: made.kind });
    for (const wait of LOOKS) setTimeout(() => void refreshReads(client, "machine-id"), wait);
  } catch (error) {
    const failure = error instanceof WalletError ? error : toApiError(error);
    const elsewhere = isRefusal(failure) ? await findElsewhere(made) : null;
    if (elsewhere) {
      showToast(elsewhere);
      tell({ state: "idle" });
    } else explain(tools, failure, words);
    await refreshReads(client, "machine-id");
  }
}

async function askWallet<Answer>(tell: CreationTools["tell"], ask: () => Promise<Answer>): Promise<Answer> {
  tell({ state: "creating", waitsForWallet: true });
  const answer = await ask();
  tell({ state: "creating", waitsForWallet: false });
  return answer;
}

const isRefusal = (failure: WalletError | ApiError) => failure instanceof ApiError && failure.fromServer;

/** What another tab or device was faster with, in words; null where that is not why the server has said no. */
async function findElsewhere({ kind, readStatus }: Kind): Promise<string | null> {
  // Where it cannot be had, the refusal is all there is to say.
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

/** The toast is the specification's (section 8); what stands beside the button is the reason, where one is known. */
function explain(tools: CreationTools, error: WalletError | ApiError, words: string) {
  if (error instanceof WalletError) {
    if (error.reason !== "failed" || error.toast) return fail(tools, error.toast, error.message);
    // Only its own words may say what to do, such as to allow this kind of signature on the device that keeps the key.
    const said = wordsOf(error);
    return fail(tools, words, said ? `${error.message} It says: ${said}` : error.message);
  }
  const { code, fromServer, message, status } = error;
  if (code === "NETWORK_ERROR" || status === 503) return fail(tools, NOT_NOW, NOT_NOW);
  return fail(tools, words, fromServer ? message : words);
}

function fail({ tell }: CreationTools, toast: string | null, text: string) {
  if (toast) showToast(toast, { tone: "error" });
  tell({ state: "error", text });
}
