import * as z from "zod";
import { findContentPath } from "../content/contract.ts";
import { readText } from "../http/read-text.ts";
import type { NodePassMetadata } from "./contract.ts";
import { toLine } from "./untrusted.ts";

/** How many bytes of a pass's description to read at most, wherever it is. */
const LARGEST = 32 * 1024;

const Described = z.looseObject({ name: z.unknown(), description: z.unknown(), image: z.unknown() }).partial();

/**
 * Where the description of a pass is: in the link itself, or at a path of the content network. Null if it is elsewhere.
 */
export type Source = { json: string } | { path: string } | null;

/**
 * Finds the source of a description. Never asks hosts that an issuer names: this server can reach more than it should
 * for an issuer.
 */
export function findSource(uri: string | null): Source {
  if (!uri || uri.length > LARGEST) return null;
  const [, base64, data] = /^data:application\/json[^,]*?(;base64)?,(.*)$/is.exec(uri) ?? [];
  if (data !== undefined) return { json: base64 ? Buffer.from(data, "base64").toString("utf8") : decode(data) };
  const path = findContentPath(uri);
  return path ? { path } : null;
}

/** Decodes a text. Returns it unchanged if it only looks encoded. */
function decode(data: string): string {
  try {
    return decodeURIComponent(data);
  } catch {
    return data;
  }
}

/** Reads a description. Returns null if it is not one. */
export function readDescription(json: string): NodePassMetadata | null {
  const parsed = Described.safeParse(parseJson(json));
  if (!parsed.success) return null;
  const { description, image, name } = parsed.data;
  return { name: toLine(name, 80), description: toLine(description, 300), image: findImage(image) };
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Returns a picture that the browser requests from the fixed gateways only, or that is in the link itself. */
function findImage(image: unknown): string | null {
  if (typeof image !== "string" || image.length > LARGEST) return null;
  if (/^data:image\/(?:svg\+xml|png|jpeg|gif|webp|avif)[;,]/i.test(image)) return image;
  const path = findContentPath(image);
  return path && `ipfs://${path}`;
}

/**
 * Fetches a description from the first gateway that has it. A busy one may answer with a page that says so. Follows no
 * redirects, and reads no more than a small file, because whoever names the path cannot be trusted. Rejects if every
 * gateway fails.
 */
export async function fetchDescription(
  gateways: readonly string[],
  path: string,
  timeout: number,
): Promise<NodePassMetadata> {
  const problems: unknown[] = [];
  for (const gateway of gateways) {
    try {
      return await fetchFrom(`${gateway}/ipfs/${path}`, AbortSignal.timeout(timeout));
    } catch (error) {
      problems.push(error);
    }
  }
  throw new AggregateError(problems, "No gateway has the description of a pass");
}

async function fetchFrom(url: string, signal: AbortSignal): Promise<NodePassMetadata> {
  const response = await fetch(url, { headers: { Accept: "application/json" }, redirect: "error", signal });
  if (!response.ok || !response.body) {
    await response.body?.cancel();
    throw new Error(`A gateway answered ${response.status}`);
  }
  const described = readDescription(await readText(response, LARGEST));
  if (!described) throw new Error("A gateway answered with something else");
  return described;
}
