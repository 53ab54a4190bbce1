import type { ActionEvent } from "./events.ts";
import { dropCookie, keepCookie, readCookie, writeCookie } from "../cookies/plain-cookie.ts";

const COOKIE = "action_event";
const NAMES: ActionEvent["event"][] = ["sign_up", "login", "reward_claimed", "referral_claimed"];

/** The `Set-Cookie` value with which an action says what it did to the page that shows next. */
export const actionEventCookie = (event: ActionEvent): string =>
  writeCookie(COOKIE, encodeURIComponent(JSON.stringify(event)), { maxAge: 60 });

/** What the last action said, which is then forgotten: each is told once, by whichever tab comes first to it. */
export function takeActionEvent(): ActionEvent | undefined {
  const value = readCookie(document.cookie, COOKIE);
  if (!value) return undefined;
  keepCookie(dropCookie(COOKIE));
  return parseActionEvent(value);
}

/** Undefined for what is none of ours. */
export function parseActionEvent(value: string): ActionEvent | undefined {
  try {
    const event: unknown = JSON.parse(decodeURIComponent(value));
    return isActionEvent(event) ? event : undefined;
  } catch {
    return undefined;
  }
}

const isActionEvent = (value: unknown): value is ActionEvent =>
  typeof value === "object" && value !== null && "event" in value && NAMES.some((name) => name === value.event);
