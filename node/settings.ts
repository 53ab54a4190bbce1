import { hostname } from "node:os";
import { parseArgs } from "node:util";
import * as z from "zod";
import { isPrivateHost } from "../server/http/own-network.ts";
import type { DemoAccess } from "./demo-access.ts";
import { NodeProblem } from "./problem.ts";

/** How the node was started: next to a server, or as a package on another machine. */
export type Launch = {
  /** The command, to which its options are added. */
  command: string;
  /** The folder for what it has to keep, unless another one is named. */
  folder: string;
  /** A demo on this machine. */
  demo?: DemoAccess | undefined;
};

export const describeUsage = ({
  command,
  folder,
}: Launch) => `Sends heartbeats for a member. Each one that counts earns points.

  NODEBEAT_KEY=KEY ${command} --url URL    with a key of this machine, from your profile
  ${command} --url URL --email ADDRESS     signs in instead; asks for the password the first time

  --url URL        address of the server                          (or NODEBEAT_URL)
  --key KEY        the key of this machine                        (or NODEBEAT_KEY)
  --email ADDRESS  the member, if you have no key                 (or NODEBEAT_EMAIL)
  --name NAME      how this machine is listed; default: its host name (or NODEBEAT_NODE_NAME)
  --folder PATH    where waiting heartbeats are kept; default: ${folder} (or NODEBEAT_NODE_FOLDER)
  --sign-in        signs in again, for a new key

Give the key in NODEBEAT_KEY: options are in the list of processes, which every user of this machine can read. A key that
you give is not saved. The password is read from NODEBEAT_PASSWORD or asked for, used once and not saved: the folder keeps
a key that can only send heartbeats and job results. If the server needs an API key, set it in AUTH_API_KEY.`;

const DEFAULT_URL = "http://127.0.0.1:3000";

export type NodeSettings = {
  /** Origin of the server. */
  url: string;
  /** The key of this machine, created by the member. Without one the node signs in to get its own. */
  key?: string | undefined;
  email: string | undefined;
  password: string | undefined;
  name: string;
  folder: string;
  apiKey: string | undefined;
  /** Whether to sign in even if there is a key. */
  renew: boolean;
};

type Source = Record<string, string | undefined>;

/** Reads the settings. Returns undefined if only help was asked for. Throws NodeProblem. */
export function readNodeSettings(args: string[], env: Source, launch: Launch): NodeSettings | undefined {
  const { demo } = launch;
  const given = parse(args, launch);
  if (given.help) return undefined;
  const url = readUrl(given.url ?? (env.NODEBEAT_URL || demo?.url || DEFAULT_URL));
  const asked = given.email ?? (env.NODEBEAT_EMAIL || undefined);
  // Send the demo's password only to the demo.
  const isDemo = demo !== undefined && readUrl(demo.url) === url && (asked ?? demo.email) === demo.email;
  return {
    url,
    key: readKey(given.key ?? env.NODEBEAT_KEY),
    email: asked ?? (isDemo ? demo.email : undefined),
    password: env.NODEBEAT_PASSWORD || (isDemo ? demo.password : undefined),
    name: cutName(given.name ?? (env.NODEBEAT_NODE_NAME || hostname())),
    folder: given.folder ?? (env.NODEBEAT_NODE_FOLDER || launch.folder),
    apiKey: env.AUTH_API_KEY || undefined,
    renew: given["sign-in"] ?? false,
  };
}

function parse(args: string[], launch: Launch) {
  try {
    return parseArgs({
      args,
      options: {
        url: { type: "string" },
        key: { type: "string" },
        email: { type: "string" },
        name: { type: "string" },
        folder: { type: "string" },
        "sign-in": { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    }).values;
  } catch (cause) {
    throw new NodeProblem(`${cause instanceof Error ? cause.message : String(cause)}\n\n${describeUsage(launch)}`, {
      cause,
    });
  }
}

/**
 * Throws NodeProblem for a key that was cut off or is not a machine's, before it is sent. The message never has the
 * key.
 */
function readKey(text = ""): string | undefined {
  const key = text.trim();
  if (key && !/^nbd_[\w-]{43}$/.test(key)) {
    throw new NodeProblem("That is not the whole key of a machine: it begins with nbd_ and has 47 characters.");
  }
  return key || undefined;
}

function readUrl(text: string): string {
  const { data } = z.url({ protocol: /^https?$/ }).safeParse(text);
  if (!data) throw new NodeProblem(`${text} is not an address like https://nodebeat.example.`);
  const address = new URL(data);
  if (address.protocol === "https:" || isPrivateHost(address.hostname)) return address.origin;
  throw new NodeProblem(`${text} is not encrypted: your password could be read on the way. Use https.`);
}

/** Cuts a name to the length that the server accepts, without leaving half a character at the end. */
const cutName = (name: string) => name.slice(0, 80).replace(/[\p{Cs}\u200C\u200D]+$/u, "");
