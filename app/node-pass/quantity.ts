import { formatNumber } from "../ui/number/number.ts";

/** A whole number of the chain's, however large; a dash for one that is not known. */
export function formatQuantity(quantity: string | null): string {
  if (quantity === null) return "–";
  const number = Number(quantity);
  return Number.isSafeInteger(number) ? formatNumber(number) : shorten(quantity);
}

/** `#7`; of a number with many digits the first and the last. */
export const formatTokenId = (id: string): string => `#${shorten(id)}`;

const shorten = (digits: string) => (digits.length > 12 ? `${digits.slice(0, 6)}…${digits.slice(-4)}` : digits);
