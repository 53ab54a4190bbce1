export type Encoding = "br" | "zstd" | "gzip";

/**
 * Picks the encoding that the client prefers. `preferred` decides between encodings that the client accepts equally.
 * Returns undefined if the client prefers an unencoded body.
 */
export function negotiate(preferred: readonly Encoding[], accepted = ""): Encoding | undefined {
  const weights = new Map(accepted.toLowerCase().split(",").map(parseItem));
  const weightOf = (encoding: Encoding) => weights.get(encoding) ?? weights.get("*") ?? 0;
  const [best] = preferred.toSorted((a, b) => weightOf(b) - weightOf(a));
  const isWanted = best && weightOf(best) > 0 && weightOf(best) >= (weights.get("identity") ?? 0);
  return isWanted ? best : undefined;
}

function parseItem(item: string): [name: string, weight: number] {
  const [name = "", ...parameters] = item.split(";").map((part) => part.trim());
  const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  return [name, weight === undefined ? 1 : Number(weight) || 0];
}
