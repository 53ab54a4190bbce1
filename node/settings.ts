import { hostname } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import * as z from "zod";
import { isOwnNetwork } from "../server/http/own-network.ts";
import { readDemoAccess } from "./demo-access.ts";
import { NodeProblem } from "./problem.ts";

export const USAGE = `Beats for a member: every interval that the server counts in earns points.

  npm run node                                against a demo on this machine, as its demo member
  npm run node -- --url URL --email ADDRESS   for yourself; asks for the password the first time

  --url URL        address of the server                          (or NODEBEAT_URL)
  --email ADDRESS  the member to beat for                         (or NODEBEAT_EMAIL)
  --name NAME      how this machine is listed; default: its host name (or NODEBEAT_NODE_NAME)
  --folder PATH    where the key and waiting beats are kept; default: node under DATA_DIR (or NODEBEAT_NODE_FOLDER)
  --sign-in        signs in again, for a new key

The password is read from NODEBEAT_PASSWORD or asked for, used once and never kept: what is kept is a key that only
beats. A server whose auth part demands an API key finds it in AUTH_API_KEY.`;

const DEFAULT_URL = "http://127.0.0.1:3000";

export type NodeSettings = {
  /** Origin of the server. */
  url: string;
  email: string | undefined;
  password: string | undefined;
  name: string;
  folder: string;
  apiKey: string | undefined;
  /** Whether to sign in although there is a key. */
  renew: boolean;
};

type Source = Record<string, string | undefined>;

/** Undefined when only help was asked for. Throws NodeProblem. */
export function readNodeSettings(args: string[], env: Source): NodeSettings | undefined {
  const given = parse(args);
  if (given.help) return undefined;
  const dataDir = env.DATA_DIR || "data";
  const demo = readDemoAccess(dataDir);
  const url = readUrl(given.url ?? (env.NODEBEAT_URL || demo?.url || DEFAULT_URL));
  const asked = given.email ?? (env.NODEBEAT_EMAIL || undefined);
  // The demo's password goes to the demo alone.
  const isDemo = demo !== undefined && readUrl(demo.url) === url && (asked ?? demo.email) === demo.email;
  return {
    url,
    email: asked ?? (isDemo ? demo.email : undefined),
    password: env.NODEBEAT_PASSWORD || (isDemo ? demo.password : undefined),
    name: (given.name ?? (env.NODEBEAT_NODE_NAME || hostname())).slice(0, 80),
    folder: given.folder ?? (env.NODEBEAT_NODE_FOLDER || join(dataDir, "node")),
    apiKey: env.AUTH_API_KEY || undefined,
    renew: given["sign-in"] ?? false,
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        url: { type: "string" },
        email: { type: "string" },
        name: { type: "string" },
        folder: { type: "string" },
        "sign-in": { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    }).values;
  } catch (cause) {
    throw new NodeProblem(`${cause instanceof Error ? cause.message : String(cause)}\n\n${USAGE}`, { cause });
  }
}

function readUrl(text: string): string {
  const { data } = z.url({ protocol: /^https?$/ }).safeParse(text);
  if (!data) throw new NodeProblem(`${text} is not an address like https://nodebeat.example.`);
  const address = new URL(data);
  if (address.protocol === "https:" || isOwnNetwork(address.hostname)) return address.origin;
  throw new NodeProblem(`${text} is not encrypted: your password could be read on the way. Use https.`);
}
