import { formatNumber } from "../ui/number/number.ts";

/** Formats a whole number from the chain, however large. Returns a dash if it is unknown. */
export function formatQuantity(quantity: string | null): string {
  if (quantity === null) return "–";
  const number = Number(quantity);
  return Number.isSafeInteger(number) ? formatNumber(number) : shorten(quantity);
}

/** Formats a token's id, such as `#7`. Shows only the first and last digits of a long one. */
export const formatTokenId = (id: string): string => `#${shorten(id)}`;

const shorten = (digits: string) => (digits.length > 12 ? `${digits.slice(0, 6)}…${digits.slice(-4)}` : digits);
