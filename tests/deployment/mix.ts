import type { TrafficMember } from "./network.ts";

export type Wanted = {
  kind: Kind;
  method: "GET" | "POST";
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** The member whose request it is, as a place in the list. Each member has a separate address. */
  member: number;
  /** For a write: what must be there, once, after it was acknowledged. */
  mark?: string;
};

type Kind = "beat" | "read" | "call" | "file" | "page" | "profile" | "device";

/** Twenty requests, in the mix of an installation whose members leave a page open and a node running. */
const ROUND: Kind[] = [
  ...(["beat", "read", "beat", "page", "beat", "read", "file", "beat", "call", "beat"] as const),
  ...(["read", "beat", "profile", "read", "beat", "file", "beat", "read", "call", "beat"] as const),
];
const READS = ["stats", "points-history?range=last7days", "points-log?page=1&limit=10", "data-stats"];
const CALLS = ["/api/users/stats", "/api/user", "/api/users/data-stats", "/api/heartbeats/uptime?range=last24hours"];
const PAGES = ["/dashboard", "/rewards", "/referrals", "/profile", "/agentinsights", "/faqs"];

export const INTERVAL_SECONDS = 900;
/** Five days, which a node may send after an outage. */
const SLOTS = 480;

export type MixOptions = {
  members: TrafficMember[];
  /** The address of a file of the build. */
  file: string;
  /** The start of the newest slot of heartbeats, in milliseconds. */
  newest: number;
  /** Distinguishes the marks of one run from those of another. */
  run: string;
};

/** Returns the n-th request of a run. Throws if there are too few members for so many heartbeats. */
export function describeRequest({ members, file, newest, run }: MixOptions, n: number): Wanted {
  const round = Math.floor(n / ROUND.length);
  const planned = ROUND[n % ROUND.length] ?? "beat";
  const kind = planned === "profile" && round % 2 === 1 ? "device" : planned;
  const member = n % members.length;
  const { cookie, deviceKey, token } = members[member] ?? fail("There are no members");
  const pick = (list: string[]) => list[(round + member) % list.length] ?? "";
  const browser = { cookie, accept: "text/html", "accept-encoding": "gzip" };
  const program = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  switch (kind) {
    case "beat": {
      const slot = Math.floor(n / members.length);
      if (slot >= SLOTS) return fail("There are too few members for so many heartbeats");
      const timestamp = new Date(newest - slot * INTERVAL_SECONDS * 1000).toISOString();
      const headers = { authorization: `Bearer ${deviceKey}`, "content-type": "application/json" };
      const body = JSON.stringify({ beats: [{ timestamp }] });
      return { kind, method: "POST", path: "/api/heartbeats", headers, body, member, mark: timestamp };
    }
    case "read":
      return { kind, method: "GET", path: `/read/${pick(READS)}`, headers: { cookie }, member };
    case "call":
      return { kind, method: "GET", path: pick(CALLS), headers: program, member };
    case "file":
      return { kind, method: "GET", path: file, headers: browser, member };
    case "page":
      return { kind, method: "GET", path: pick(PAGES), headers: browser, member };
    case "profile": {
      const body = JSON.stringify({ ...NO_PROFILE, full_name: `Ada ${n}` });
      return { kind, method: "POST", path: "/api/users/profile", headers: program, body, member };
    }
    default: {
      const mark = `${run}-${n}`;
      const body = JSON.stringify({ name: mark });
      return { kind, method: "POST", path: "/api/heartbeats/devices", headers: program, body, member, mark };
    }
  }
}

const NO_PROFILE = {
  username: null,
  discord_username: null,
  telegram_handle: null,
  x_handle: null,
  website: null,
  avatar_url: null,
};

function fail(sentence: string): never {
  throw new Error(sentence);
}
