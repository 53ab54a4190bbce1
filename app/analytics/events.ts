import { defineOutcome, takeEvents } from "../outcome/outcome.ts";

/** Everything that is told when it happens, and with what. Nothing here names a person but the code they give away. */
type Events = {
  /** Without the query, which may hold what somebody has typed. */
  page_view: { page_path: string; page_title: string };
  sign_up: object;
  login: object;
  reward_claimed: { reward_id: string };
  referral_claimed: object;
  wallet_linked: object;
  referral_link_copied: { personal_code: string };
};

type AnalyticsEvent = { [Name in keyof Events]: { event: Name } & Events[Name] }[keyof Events];

/** Events that a server's action brings about, and the page after it tells. */
export type ActionEvent = Extract<AnalyticsEvent, { event: "sign_up" | "login" | `${string}_claimed` }>;

const NAMES: Record<ActionEvent["event"], true> = {
  sign_up: true,
  login: true,
  reward_claimed: true,
  referral_claimed: true,
};

export const ACTION_EVENT = defineOutcome("event", "analytics", NAMES);

/** What the last actions did, each told once, by whichever tab comes first to it. With `names`, none but these. */
export const takeActionEvents = (names?: readonly string[]): ActionEvent[] =>
  takeEvents(ACTION_EVENT, names).map(({ word: event, about }) =>
    event === "reward_claimed" ? { event, reward_id: about } : { event },
  );

type Receiver = (event: AnalyticsEvent) => void;

let receive: Receiver | undefined;

/** Tells of an event. Without configuration or consent nobody listens: then it goes nowhere and is not kept. */
export function track(event: AnalyticsEvent): void {
  receive?.(event);
}

/** Passes every event on, until the returned function is called. */
export function receiveEvents(receiver: Receiver): () => void {
  receive = receiver;
  return () => {
    receive = undefined;
  };
}
