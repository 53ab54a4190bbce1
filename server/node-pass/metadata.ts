import * as z from "zod";
import { findContentPath } from "../content/contract.ts";
import { readText } from "../http/read-text.ts";
import type { NodePassMetadata } from "./contract.ts";
import { toLine } from "./untrusted.ts";

/** Bytes that are read of what describes a pass, wherever it is. */
const LARGEST = 32 * 1024;

const Described = z.looseObject({ name: z.unknown(), description: z.unknown(), image: z.unknown() }).partial();

/** Where the description of a pass is: in the link itself, or at a path of the content network; null for elsewhere. */
export type Source = { json: string } | { path: string } | null;

/** Hosts that an issuer names are never asked: this server can reach more than the issuer should. */
export function findSource(uri: string | null): Source {
  if (!uri || uri.length > LARGEST) return null;
  const [, base64, data] = /^data:application\/json[^,]*?(;base64)?,(.*)$/is.exec(uri) ?? [];
  if (data !== undefined) return { json: base64 ? Buffer.from(data, "base64").toString("utf8") : decode(data) };
  const path = findContentPath(uri);
  return path ? { path } : null;
}

/** Texts that only look encoded are taken as they are. */
function decode(data: string): string {
  try {
    return decodeURIComponent(data);
  } catch {
    return data;
  }
}

/** What the description says; null when it is none. */
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

/** Pictures are asked for by the browser, at the fixed gateways alone, or are in the link themselves. */
function findImage(image: unknown): string | null {
  if (typeof image !== "string" || image.length > LARGEST) return null;
  if (/^data:image\/(?:svg\+xml|png|jpeg|gif|webp|avif)[;,]/i.test(image)) return image;
  const path = findContentPath(image);
  return path && `ipfs://${path}`;
}

/**
 * Fetches a description from the first gateway that has it: one that is busy may answer with a page that says so. No
 * redirects, and no more than a small file: whoever names the path is not to be trusted with more. Rejects when no
 * gateway has it.
 */
export async function fetchDescription(
  gateways: readonly string[],
  path: string,
  patience: number,
): Promise<NodePassMetadata> {
  const problems: unknown[] = [];
  for (const gateway of gateways) {
    try {
      return await fetchFrom(`${gateway}/ipfs/${path}`, AbortSignal.timeout(patience));
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
