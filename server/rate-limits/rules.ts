/** A limit: `burst` at once, and then one more every `seconds`. */
export type LimitRule = {
  name: string;
  burst: number;
  seconds: number;
  /** Whether a process remembers whom it has refused, so that a flood does not reach the database. Never given back. */
  isRemembered?: true;
};

const MINUTE = 60;

/**
 * What may be tried how often. By client for what costs work or mail, by account for what guesses at one: there a
 * browser that the member has used before has a limit of its own, so that an attacker elsewhere cannot keep the
 * member out.
 */
export const LIMITS = {
  signInByClient: { name: "sign-in client", burst: 30, seconds: 10 },
  signInByAccount: { name: "sign-in account", burst: 10, seconds: 90 },
  signInByDevice: { name: "sign-in device", burst: 10, seconds: 30 },
  /** A classroom signs up from one address. */
  signUpByClient: { name: "sign-up client", burst: 30, seconds: 2 * MINUTE },
  /** Less than the address's, so that one client alone cannot keep an address from signing up. */
  signUpByClientAndAddress: { name: "sign-up client and address", burst: 4, seconds: 30 * MINUTE },
  /** Each sign-up has tries at its code. */
  signUpByAddress: { name: "sign-up address", burst: 5, seconds: 10 * MINUTE },
  checkUserByClient: { name: "check-user client", burst: 30, seconds: 10 },
  forgotByClient: { name: "forgot client", burst: 10, seconds: MINUTE },
  /** Mail to who has yet to show that the mailbox is theirs. Beyond it none goes out, and nobody is told. */
  askedMailByMailbox: { name: "asked mail mailbox", burst: 5, seconds: 10 * MINUTE },
  /** Less than the mailbox's, so that one client alone cannot use that up. */
  askedMailByClient: { name: "asked mail client", burst: 4, seconds: 30 * MINUTE },
  askedMailByDevice: { name: "asked mail device", burst: 5, seconds: 10 * MINUTE },
  mailedTokensByClient: { name: "mailed tokens client", burst: 30, seconds: 10 },
  campaignCodeByAccount: { name: "campaign code account", burst: 20, seconds: 60 },
  emailCodeByAccount: { name: "email code account", burst: 20, seconds: 60 },
  changePasswordByAccount: { name: "change password account", burst: 10, seconds: 90 },
  dataExportByAccount: { name: "data export account", burst: 5, seconds: 10 * MINUTE, isRemembered: true },
  nodePassByAccount: { name: "node pass account", burst: 60, seconds: 5 },
  /** With 200 items each, far more than a node gathers; what a day earns is capped besides. */
  jobResultsByAccount: { name: "job results account", burst: 20, seconds: 5, isRemembered: true },
  /** Of more beats than a node sends while it is connected. */
  beatBatchByAccount: { name: "beat batch account", burst: 20, seconds: 10, isRemembered: true },
  /** A key's row stays with the account, also once it is revoked. More than one for each machine that there can be. */
  deviceKeyByAccount: { name: "device key account", burst: 150, seconds: MINUTE, isRemembered: true },
  logExportByAccount: { name: "log export account", burst: 10, seconds: MINUTE, isRemembered: true },
  machineIdByAccount: { name: "machine id account", burst: 30, seconds: 10, isRemembered: true },
  /** Pictures of links that have not been drawn yet; chats with many members ask from few addresses. */
  pictureByClient: { name: "picture client", burst: 30, seconds: 10, isRemembered: true },
  walletByAccount: { name: "wallet account", burst: 30, seconds: 10 },
} as const satisfies Record<string, LimitRule>;
