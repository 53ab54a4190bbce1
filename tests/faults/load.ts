import { setTimeout as pause } from "node:timers/promises";
import { TEST_PASSWORD } from "../support/api/api.ts";
import { sendRequest, keepAlive, NoResponse, type HttpResult, type HttpRequest } from "./send-request.ts";
import type { Member, Seeded } from "./seeds.ts";

/** How long a client pauses between a response and its next request, in milliseconds. */
const BREATH = 15;
/** How long a form must be visible before it is sent, plus a margin, in milliseconds. */
const FILLING = 350;
/** How long a refused client waits before it retries, in milliseconds: less than it is told, to make more requests. */
const AGAIN = 100;

/**
 * The outcome of a request. `busy`: told to come back later. `unsent`: nobody accepted it. `broken`: accepted, and then
 * cut off.
 */
export type Outcome = "done" | "busy" | "unsent" | "broken" | "wrong";
export type LoadResult = { what: string; outcome: Outcome; ms: number; at: number; status?: number };

/** Everything that the server has acknowledged. */
export type Promised = {
  beats: { userId: string; at: Date }[];
  claims: { userId: string; campaignId: string }[];
  tokens: string[];
  mails: string[];
};

type Target = { url: string };

const isFine = ({ status }: HttpResult) => status === 200;
const isCounted = ({ status, text }: HttpResult) => status === 200 && text.includes('"refused":[]');
/** Claimed now, or already, by an attempt whose response was lost. */
const isPaid = ({ status }: HttpResult) => status === 200 || status === 409;

/**
 * Sends a write, and once more if there is no response. If there is still none, the member's next turn sends it again.
 */
const settle = async (write: () => Promise<unknown>) => Boolean((await write()) ?? (await write()));

/**
 * Puts all members to work: each sends one request after the other, and repeats a write until its outcome is known.
 * `target` is called before each request, and says where to send it.
 */
export function startLoad(seeded: Seeded, target: () => Target, { mailEvery = 30 } = {}) {
  const asked: LoadResult[] = [];
  const promised: Promised = { beats: [], claims: [], tokens: [], mails: [] };
  const stopping = new AbortController();
  const forgetful = [...seeded.forgetful];
  const begun = Math.floor(Date.now() / 1000) * 1000;

  async function work(member: Member, index: number) {
    const client = createClient(index);
    const steps = [beat, claim, beat, read, beat, openDashboard, claim, beat, list, beat];
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      const now = steps[(turn + index) % steps.length];
      await now?.(client, member);
      // Members sign in and forget their passwords now and then, each at a different time.
      if (turn % 40 === index * 6) await signIn(client, member);
      if ((turn + index * 5) % mailEvery === 0) await forget(client);
      await pause(BREATH);
    }
    client.agent.destroy();
  }

  function createClient(index: number) {
    const agent = keepAlive();
    /**
     * Sends a request and records its outcome. Returns the response, or undefined if there is none that settles the
     * request.
     */
    async function send(what: string, question: HttpRequest, isRight: (answer: HttpResult) => boolean) {
      const from = `10.1.${index}.${1 + (asked.length % 250)}`;
      const at = performance.now();
      const note = (outcome: Outcome, ms: number, status?: number) => {
        asked.push({ what, outcome, ms, at, ...(status && { status }) });
        return outcome === "done";
      };
      try {
        const answer = await sendRequest(target().url, { from, ...question }, agent);
        const { headers, ms, status } = answer;
        const isBusy = (status === 503 || status === 429) && headers["retry-after"] !== undefined;
        const outcome = isRight(answer) ? "done" : isBusy ? "busy" : "wrong";
        return note(outcome, ms, status) ? answer : await pause(AGAIN).then(() => undefined);
      } catch (error) {
        if (!(error instanceof NoResponse)) throw error;
        note(error.wasTaken ? "broken" : "unsent", error.ms);
        return pause(AGAIN).then(() => undefined);
      }
    }
    return { agent, send, done: { beats: 0, claims: 0 } };
  }
  type Client = ReturnType<typeof createClient>;

  async function beat({ done, send }: Client, { key, userId }: Member) {
    const at = new Date(begun - (3600 + done.beats) * 1000);
    const body = { beats: [{ timestamp: at.toISOString() }] };
    const write = () => send("heartbeat", { method: "POST", path: "/api/heartbeats", token: key, body }, isCounted);
    if (!(await settle(write))) return;
    promised.beats.push({ userId, at });
    done.beats += 1;
  }

  async function claim({ done, send }: Client, { token, userId }: Member) {
    const campaignId = seeded.campaignIds[done.claims];
    if (!campaignId) return;
    const path = `/api/campaigns/${campaignId}/claim`;
    if (!(await settle(() => send("claim", { method: "POST", path, token, body: {} }, isPaid)))) return;
    promised.claims.push({ userId, campaignId });
    done.claims += 1;
  }

  const read = ({ send }: Client, { token }: Member) => send("stats", { path: "/api/users/stats", token }, isFine);
  const list = ({ send }: Client, { token }: Member) => send("log", { path: "/api/users/points-log", token }, isFine);
  const openDashboard = ({ send }: Client, { cookie }: Member) =>
    send("page", { path: "/dashboard", cookie }, ({ status, text }) => status === 200 && text.includes("</html>"));

  async function fillForm({ send }: Client) {
    const check = await send("form", { path: "/api/auth/bot-check" }, isFine);
    if (check) await pause(FILLING);
    return check && (JSON.parse(check.text) as { turnstileToken: string }).turnstileToken;
  }

  async function signIn(client: Client, { email }: Member) {
    const turnstileToken = await fillForm(client);
    if (!turnstileToken) return;
    const body = { email, password: TEST_PASSWORD, turnstileToken };
    const answer = await client.send("sign-in", { method: "POST", path: "/api/login", body }, isFine);
    if (answer) promised.tokens.push((JSON.parse(answer.text) as { access_token: string }).access_token);
  }

  async function forget(client: Client) {
    const email = forgetful.pop();
    const turnstileToken = email && (await fillForm(client));
    if (!turnstileToken) return;
    const question = { method: "POST", path: "/api/auth/forgot-password", body: { email, turnstileToken } };
    if (await client.send("forgot", question, isFine)) promised.mails.push(email);
  }

  const ended = Promise.all(seeded.members.map((member, index) => work(member, index)));
  return {
    asked,
    promised,
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

export type Load = ReturnType<typeof startLoad>;
