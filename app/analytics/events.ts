import { defineOutcome, consumeEvents } from "../outcome/outcome.ts";

/**
 * Everything that we report when it happens, and its data. Nothing here identifies a person, except the code that they
 * share.
 */
type Events = {
  /** Without the query, which may contain what somebody has typed. */
  page_view: { page_path: string; page_title: string };
  sign_up: object;
  login: object;
  reward_claimed: { reward_id: string };
  referral_claimed: object;
  wallet_linked: object;
  referral_link_copied: { personal_code: string };
};

type AnalyticsEvent = { [Name in keyof Events]: { event: Name } & Events[Name] }[keyof Events];

/** Events that a server action causes and the next page reports. */
export type ActionEvent = Extract<AnalyticsEvent, { event: "sign_up" | "login" | `${string}_claimed` }>;

const NAMES: Record<ActionEvent["event"], true> = {
  sign_up: true,
  login: true,
  reward_claimed: true,
  referral_claimed: true,
};

export const ACTION_EVENT = defineOutcome("event", "analytics", NAMES);

/**
 * Takes what the latest actions did. Each event is taken once, by the first tab that gets to it. With `names`, takes
 * only these.
 */
export const consumeActionEvents = (names?: readonly string[]): ActionEvent[] =>
  consumeEvents(ACTION_EVENT, names).map(({ word: event, about }) =>
    event === "reward_claimed" ? { event, reward_id: about } : { event },
  );

type Receiver = (event: AnalyticsEvent) => void;

let receive: Receiver | undefined;

/** Reports an event. Without configuration or consent nobody listens, and the event is dropped. */
export function track(event: AnalyticsEvent): void {
  receive?.(event);
}

/** Passes every event on to the receiver, until the returned function is called. */
export function receiveEvents(receiver: Receiver): () => void {
  receive = receiver;
  return () => {
    receive = undefined;
  };
}
