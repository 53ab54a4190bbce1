import { hash, timingSafeEqual } from "node:crypto";

/** Compared by digest, so that the time it takes tells nothing about either. */
export const isSameSecret = (given = "", expected: string): boolean => timingSafeEqual(digest(given), digest(expected));

const digest = (text: string) => hash("sha256", text, "buffer");
