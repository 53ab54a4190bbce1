import { formatNumber } from "../ui/number/number.ts";

/** Formats a whole number of the chain's, however large. Returns a dash if it is unknown. */
export function formatQuantity(quantity: string | null): string {
  if (quantity === null) return "–";
  const number = Number(quantity);
  return Number.isSafeInteger(number) ? formatNumber(number) : shorten(quantity);
}

/** Formats a token's id, such as `#7`. Of a long number it shows the first and the last digits. */
export const formatTokenId = (id: string): string => `#${shorten(id)}`;

const shorten = (digits: string) => (digits.length > 12 ? `${digits.slice(0, 6)}…${digits.slice(-4)}` : digits);
