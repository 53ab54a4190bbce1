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

export type AnalyticsEvent = { [Name in keyof Events]: { event: Name } & Events[Name] }[keyof Events];

/** Events that a server's action brings about, and the page after it tells. */
export type ActionEvent = Extract<AnalyticsEvent, { event: "sign_up" | "login" | `${string}_claimed` }>;

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
