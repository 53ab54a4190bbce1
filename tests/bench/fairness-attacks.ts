import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";

/** Whose calls they are, and where they go. */
export type Attacker = { url: string; token: string; cookie: string; email: string };

/** One call of an attack, repeated by several callers at once. */
type Attack = { atOnce: number; go: (attacker: Attacker) => Promise<void> };

const ADDRESS = "10.9.9.9";
const agent = new Agent({ keepAlive: true, maxSockets: 200 });
let counter = 0;
const next = () => (counter += 1);
const json = "application/json";
const madeUpCode = () => `Z${next().toString(36).padStart(4, "0").toUpperCase()}`;

/** The most expensive calls that one client can make. */
export const ATTACKS: Record<string, Attack> = {
  "jobs batch": { atOnce: 4, go: (attacker) => call(attacker, "/api/jobs/results", { type: json, body: jobsBatch() }) },
  "heartbeat batch": { atOnce: 4, go: (attacker) => call(attacker, "/api/heartbeats", { type: json, body: beats() }) },
  "form of many fields": {
    atOnce: 4,
    go: (attacker) => call(attacker, "/auth", { type: "application/x-www-form-urlencoded", body: manyFields() }),
  },
  preview: { atOnce: 8, go: (attacker) => call(attacker, `/share/${madeUpCode()}/preview.png`) },
  "QR code": { atOnce: 8, go: (attacker) => call(attacker, `/share/${madeUpCode()}/qr.png`) },
  "log as CSV": { atOnce: 4, go: (attacker) => call(attacker, "/api/users/points-log/export") },
  "/agentinsights": { atOnce: 4, go: (attacker) => call(attacker, `/agentinsights?n=${next()}`) },
  "data export": { atOnce: 4, go: (attacker) => call(attacker, "/api/users/data-export") },
  "sign-in": { atOnce: 4, go: signIn },
  "unread pipelined requests": { atOnce: 100, go: sendUnread },
};

type Sent = { type?: string; body?: string };

/** Reads the whole response, which may be a refusal. */
async function call({ cookie, token, url }: Attacker, path: string, { type, body }: Sent = {}): Promise<void> {
  await read(url, path, {
    method: body === undefined ? "GET" : "POST",
    body,
    headers: {
      ...(path.startsWith("/api/") ? { authorization: `Bearer ${token}` } : { cookie, accept: "text/html" }),
      ...(type && { "content-type": type, origin: new URL(url).origin }),
    },
  });
}

type Request = { method: string; headers: Record<string, string>; body?: string | undefined };

async function read(url: string, path: string, { method, headers, body }: Request): Promise<string> {
  const sent = request(url + path, { agent, method, headers: { ...headers, "x-forwarded-for": ADDRESS } });
  sent.end(body);
  const [response] = await once(sent, "response");
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function jobsBatch() {
  const jobId = `job ${next()}`;
  const items = Array.from({ length: 200 }, (_, index) => ({
    kind: "profile",
    reference: `${jobId} ${index}`,
    title: "Invented",
  }));
  return JSON.stringify({ jobs: [{ jobId, finishedAt: new Date().toISOString(), resultSize: 1, items }] });
}

function beats() {
  const start = Date.now() - next() * 1000;
  return JSON.stringify({
    beats: Array.from({ length: 1000 }, (_, index) => ({ timestamp: new Date(start - index * 60_000).toISOString() })),
  });
}

/** Returns a form of the largest size allowed. */
const manyFields = () => `n=${next()}&${"a=1&".repeat(16_000)}`.slice(0, 64_000);

async function signIn({ email, url }: Attacker): Promise<void> {
  const check = await read(url, "/api/auth/bot-check", { method: "GET", headers: {} });
  const { turnstileToken } = JSON.parse(check) as { turnstileToken?: string };
  const body = JSON.stringify({ email, password: `wrong ${next()}`, turnstileToken: turnstileToken ?? "none" });
  await read(url, "/api/login", { method: "POST", headers: { "content-type": json }, body });
}

/** Sockets whose responses nobody reads; `hangUp` closes them. */
const unread = new Set<Socket>();

async function sendUnread({ url }: Attacker): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).pause();
  unread.add(socket);
  const gone = once(socket, "close");
  socket.on("error", () => {});
  await Promise.race([once(socket, "connect"), gone]);
  const line = `GET /auth HTTP/1.1\r\nHost: ${hostname}:${port}\r\nX-Forwarded-For: ${ADDRESS}\r\n\r\n`;
  socket.write(line.repeat(50));
  await gone;
  unread.delete(socket);
}

export function hangUp(): void {
  for (const socket of unread) socket.destroy();
}
