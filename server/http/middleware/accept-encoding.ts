export type Encoding = "br" | "zstd" | "gzip";

/** Browsers send a handful of different values; a client that invents more only costs the parsing. */
const MAX_REMEMBERED = 64;

/** Picks the encoding a client accepts best; `preferred` orders those it accepts equally. */
export function createNegotiator(
  preferred: readonly Encoding[],
): (accepted: string | undefined) => Encoding | undefined {
  const remembered = new Map<string, Encoding | undefined>();

  return (accepted) => {
    if (!accepted) return undefined;
    if (remembered.has(accepted)) return remembered.get(accepted);
    const encoding = negotiate(accepted, preferred);
    if (remembered.size < MAX_REMEMBERED) remembered.set(accepted, encoding);
    return encoding;
  };
}

function negotiate(accepted: string, preferred: readonly Encoding[]) {
  const weights = new Map(accepted.toLowerCase().split(",").map(parseItem));
  const weightOf = (encoding: Encoding) => weights.get(encoding) ?? weights.get("*") ?? 0;
  const [best] = preferred.toSorted((a, b) => weightOf(b) - weightOf(a));
  return best && weightOf(best) > 0 ? best : undefined;
}

function parseItem(item: string): [name: string, weight: number] {
  const [name = "", ...parameters] = item.split(";").map((part) => part.trim());
  const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  return [name, weight === undefined ? 1 : Number(weight) || 0];
}
