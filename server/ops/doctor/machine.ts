import { X509Certificate } from "node:crypto";
import { existsSync } from "node:fs";
import { access, constants, readFile, statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { isIP } from "node:net";
import { connect, getCACertificates } from "node:tls";
import { MINIMUM_MEBIBYTES } from "../../db/embedded/disk-space.ts";
import { describeBytes } from "../backup/manifest.ts";
import { explain, type Check, type Examination, type Surroundings } from "./check.ts";

const MEBIBYTE = 1024 * 1024;
/** With this many bytes free, nobody has to think about the disk. */
const ENOUGH = 1024 * MEBIBYTE;
const DAY_MS = 24 * 60 * 60 * 1000;
/** A certificate should be renewed at least this many days before it expires. */
const SOON = 14;
/** How long one answer may take, and how far a clock may be off, in milliseconds. Servers report whole seconds. */
const LIMIT = 5_000;
const CLOCK_LIMIT = 5_000;

/** Checks the version of Node.js. */
export const node: Examination = {
  name: "Node.js",
  async examine() {
    const major = Number.parseInt(process.versions.node);
    const says = `Version ${process.versions.node}.`;
    if (major >= 24) return [{ name: "Node.js", state: "ok", says }];
    return [
      { name: "Node.js", state: "broken", says, todo: "Nodebeat needs 24 or newer: `npm ci` brings one on Linux." },
    ];
  },
};

/** Checks the folder of the data: whether it can be written to and has room. */
export const disk: Examination = {
  name: "disk",
  async examine({ env: { apiUrl, databaseUrl, dataDir } }) {
    const name = "disk";
    if (apiUrl) return [{ name, state: "ok", says: "Nothing is kept on it." }];
    const folder = findExisting(resolve(dataDir));
    const isWritable = await access(`${folder}/.`, constants.W_OK | constants.X_OK).then(
      () => true,
      () => false,
    );
    if (!isWritable && !databaseUrl)
      return [
        { name, state: "broken", says: `${folder} cannot be written to.`, todo: "Set DATA_DIR to a folder that can." },
      ];
    const { bavail, blocks, bsize } = await statfs(folder);
    // Some network and container file systems report no numbers at all.
    if (blocks === 0) return [{ name, state: "ok", says: `${folder} does not say how much is free.` }];
    const free = bavail * bsize;
    const says = `${describeBytes(free)} are free at ${folder}.`;
    const todo = "Free some space.";
    if (free < MINIMUM_MEBIBYTES * MEBIBYTE) return [{ name, state: databaseUrl ? "warning" : "broken", says, todo }];
    return [free < ENOUGH ? { name, state: "warning", says, todo } : { name, state: "ok", says }];
  },
};

function findExisting(folder: string): string {
  return existsSync(folder) ? folder : findExisting(dirname(folder));
}

/** Compares this machine's clock with one of the servers that it talks to anyway: the first that answers. */
export const clock: Examination = {
  name: "clock",
  async examine({ env: { apiUrl, authApiUrl, publicUrl, supabaseUrl } }) {
    const name = "clock";
    const addresses = [publicUrl, apiUrl, authApiUrl, supabaseUrl].filter((each) => each !== undefined);
    const time = `It is ${new Date().toISOString()} here`;
    if (addresses.length === 0) return [{ name, state: "ok", says: `${time}; there is no other clock to compare.` }];
    const ahead = await Promise.any(addresses.map(readClock)).catch(() => undefined);
    if (ahead === undefined) return [{ name, state: "ok", says: `${time}; no other clock could be read.` }];
    if (Math.abs(ahead) < CLOCK_LIMIT) return [{ name, state: "ok", says: "It agrees with other clocks." }];
    const says = `It is ${Math.round(Math.abs(ahead) / 1000)} s ${ahead > 0 ? "ahead" : "behind"}.`;
    const todo = "Synchronise it with NTP: codes, sessions and heartbeats depend on it.";
    return [{ name, state: Math.abs(ahead) < 60_000 ? "warning" : "broken", says, todo }];
  },
};

async function readClock(address: string): Promise<number> {
  const before = Date.now();
  const response = await fetch(address, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(LIMIT) });
  const theirs = Date.parse(response.headers.get("Date") ?? "");
  if (Number.isNaN(theirs)) throw new Error("It does not say what time it is");
  // Add half a second, because servers report whole seconds.
  return (before + Date.now()) / 2 - (theirs + 500);
}

/** Checks the certificate that members see, and the extra ones that this process trusts. */
export const certificates: Examination = {
  name: "certificates",
  examine: async (around) => [...(await examinePublic(around)), ...(await examineExtra(around))],
};

async function examinePublic({ env: { publicUrl } }: Surroundings): Promise<Check[]> {
  const name = "certificates";
  if (!publicUrl?.startsWith("https:")) return [];
  const { hostname, port } = new URL(publicUrl);
  try {
    const { certificate, problem } = await readPeer(hostname, Number(port || 443));
    if (problem)
      return [{ name, state: "broken", says: `${hostname}: ${problem}`, todo: "Give the proxy a valid certificate." }];
    return [judgeEnd(hostname, certificate, "Renew it at the proxy.")];
  } catch (error) {
    const todo = "If this machine cannot reach its own address, ignore this. Otherwise check whether the proxy is up.";
    return [{ name, state: "warning", says: `${hostname} cannot be reached from here: ${explain(error)}`, todo }];
  }
}

function readPeer(host: string, port: number): Promise<{ certificate: X509Certificate; problem: string | undefined }> {
  const { promise, resolve: settle, reject } = Promise.withResolvers<Awaited<ReturnType<typeof readPeer>>>();
  // Accept any certificate: the point is to find out what is wrong with it.
  const socket = connect(
    { host, port, ...(isIP(host) === 0 && { servername: host }), rejectUnauthorized: false, timeout: LIMIT },
    () => {
      const certificate = socket.getPeerX509Certificate();
      const problem = socket.authorized
        ? undefined
        : (socket.authorizationError?.message ?? String(socket.authorizationError));
      if (certificate) settle({ certificate, problem });
      else reject(new Error("It shows no certificate"));
      socket.destroy();
    },
  );
  socket.once("error", reject);
  socket.once("timeout", () => socket.destroy(new Error("No answer")));
  return promise;
}

async function examineExtra({ given }: Surroundings): Promise<Check[]> {
  const path = given.NODE_EXTRA_CA_CERTS;
  if (!path) return [];
  const name = "certificates";
  const todo = "Without it, servers with your own certificates are not trusted.";
  try {
    const text = await readFile(path, "utf8");
    const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    if (blocks.length === 0)
      return [{ name, state: "broken", says: `NODE_EXTRA_CA_CERTS has no certificate: ${path}`, todo }];
    const found = blocks.map((block) => new X509Certificate(block));
    if (!isBelieved(found)) {
      const says = "NODE_EXTRA_CA_CERTS has no effect: Node.js reads it before .env.";
      return [{ name, state: "broken", says, todo: "Set it in the environment of the server and of this command." }];
    }
    const checks = found.map(judgeExtra);
    const bad = checks.filter(({ state }) => state !== "ok");
    const says = `Certificates of NODE_EXTRA_CA_CERTS that are valid for ${SOON} days or more: ${blocks.length - bad.length} of ${blocks.length}.`;
    return [{ name, state: "ok", says }, ...bad];
  } catch (error) {
    return [{ name, state: "broken", says: `NODE_EXTRA_CA_CERTS cannot be read: ${explain(error)}`, todo }];
  }
}

/** Whether this process knew any of the certificates when it started. Node.js ignores those that are named later. */
function isBelieved(found: X509Certificate[]): boolean {
  const known = new Set(getCACertificates("extra").map((text) => new X509Certificate(text).fingerprint256));
  return found.some(({ fingerprint256 }) => known.has(fingerprint256));
}

/** Only warns about an expired certificate: among several, it may not be the one that is needed. */
function judgeExtra(certificate: X509Certificate): Check {
  const check = judgeEnd(
    `NODE_EXTRA_CA_CERTS, ${certificate.subject.replaceAll("\n", ", ")}`,
    certificate,
    "Replace it with the new one.",
  );
  return check.state === "broken" ? { ...check, state: "warning" } : check;
}

function judgeEnd(whose: string, { validToDate }: X509Certificate, todo: string): Check {
  const days = Math.floor((validToDate.getTime() - Date.now()) / DAY_MS);
  const says = `${whose}: valid until ${validToDate.toISOString().slice(0, 10)}`;
  if (days < 0)
    return {
      name: "certificates",
      state: "broken",
      says: `${whose}: expired on ${validToDate.toISOString().slice(0, 10)}`,
      todo,
    };
  return days < SOON
    ? { name: "certificates", state: "warning", says, todo }
    : { name: "certificates", state: "ok", says };
}
