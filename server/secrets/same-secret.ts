import { hash, timingSafeEqual } from "node:crypto";

/** Compares digests, so that the time it takes reveals nothing about either value. */
export const isSameSecret = (given = "", expected: string): boolean => timingSafeEqual(digest(given), digest(expected));

const digest = (text: string) => hash("sha256", text, "buffer");
