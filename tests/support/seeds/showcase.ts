import type { PrivateKeyAccount } from "viem/accounts";
import type { SeededMember } from "../app-messages.ts";
import { newWallet } from "../chain/new-wallet.ts";
import type { RunningApp } from "../servers/start-app.ts";

/*
 * The people who look at the pages in tests of whole pages: some for whom they are empty, and one for whom they are
 * full.
 */

export const PEOPLE = ["Visitor", "New member", "Full member"] as const;
export type Person = (typeof PEOPLE)[number];

/** How long the embedded chain may take for each of its steps, in milliseconds. */
const CHAIN_MS = 60_000;
const HOUR_MS = 60 * 60 * 1000;

/** Creates both members. A visitor has no account. */
export async function seedPeople(app: RunningApp): Promise<Record<Person, SeededMember | null>> {
  const newMember = await app.seed.member({});
  return { Visitor: null, "New member": newMember, "Full member": await seedFullMember(app) };
}

/** Creates a member with something in every card, from a long name to a Machine ID. */
async function seedFullMember(app: RunningApp): Promise<SeededMember> {
  const wallet = newWallet();
  const fullName = "Augusta Ada King, Countess of Lovelace";
  const member = await app.seed.member({ fullName, wallet: wallet.address, heartbeats: 130, whitelisted: true });
  const { userId } = member;
  await app.seed.post(userId, listEntries());
  await app.seed.beat(userId, [new Date(Date.now() + HOUR_MS).toISOString()]);
  for (const friend of FRIENDS) await app.seed.friend(userId, friend);
  await app.seed.campaigns(userId, CAMPAIGNS);
  await app.seed.jobs(userId, listJobs());
  await createIdentity(app.url, member.token, wallet);
  return member;
}

/** Returns points of every category, over the last 90 days. */
function listEntries() {
  const categories = ["Connectivity", "Referral", "Rewards", "Others"] as const;
  return Array.from({ length: 180 }, (_, index) => ({
    category: categories[index % categories.length] ?? "Others",
    points: 25 + ((index * 37) % 400),
    comment: index % 9 === 0 ? "A reason that takes more words than most of the others do" : `Entry ${index + 1}`,
    daysAgo: Math.floor(index / 2),
  }));
}

const FRIENDS = [
  { heartbeats: 12 },
  { heartbeats: 100, wallet: true },
  { email: "alongaddresswithoutanyroomtobreak@membersofnodebeat.test" },
  ...Array.from({ length: 9 }, (_, index) => ({ heartbeats: index * 10, wallet: index % 2 === 0 })),
];

const CAMPAIGN = { type: "social", formUrl: "https://nodebeat.test/follow", mandatory: false, buttonText: null };
const CAMPAIGNS = [
  { ...CAMPAIGN, id: "follow", name: "Follow us on X", bonusPoints: 250, taskNumber: 1, completed: true },
  { ...CAMPAIGN, id: "join", name: "Join the channel on Discord", bonusPoints: 1250, taskNumber: 2, mandatory: true },
  {
    ...CAMPAIGN,
    id: "tell",
    name: "Tell us how you run your node",
    bonusPoints: 50,
    taskNumber: 3,
    buttonText: "Tell",
  },
];

function listJobs() {
  const kinds = ["post", "profile", "comment"] as const;
  return Array.from({ length: 40 }, (_, index) => ({
    daysAgo: index % 20,
    kind: kinds[index % kinds.length] ?? "post",
    title: `What somebody wrote about looms, part ${index + 1}`,
  }));
}

/** Creates a Smart Account and a Machine ID, signed by the member's wallet. */
async function createIdentity(url: string, token: string, wallet: PrivateKeyAccount): Promise<void> {
  async function call(path: string, body?: object) {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const sent = body && { method: "POST", body: JSON.stringify(body) };
    const response = await fetch(`${url}/api/peaq/${path}`, { headers, ...sent });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response.json() as Promise<Answer>;
  }
  const { typedData: deploy } = await call("smart-account-consent");
  await call("create-smart-account", { ...deploy.message, signature: await wallet.signTypedData(deploy) });
  await waitUntilCompleted(() => call("smart-account-exists"));
  const { data } = await call("request-did", {});
  await call("update-did-signature", { machineOwnerSignature: await wallet.signTypedData(data.typedData) });
  await waitUntilCompleted(() => call("did-status"));
}

type TypedData = Parameters<PrivateKeyAccount["signTypedData"]>[0] & { message: object };
type Answer = { status: string; typedData: TypedData; data: { typedData: TypedData } };

async function waitUntilCompleted(read: () => Promise<Answer>): Promise<void> {
  const end = performance.now() + CHAIN_MS;
  while ((await read()).status !== "completed") {
    if (performance.now() > end) throw new Error("The chain did not get on.");
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
