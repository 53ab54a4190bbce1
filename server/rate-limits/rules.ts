/** A limit: allows `burst` at once, and then one more every `seconds`. */
export type LimitRule = {
  name: string;
  burst: number;
  seconds: number;
  /**
   * Whether each process remembers its refusals, so that a flood does not reach the database. Not for limits that are
   * released.
   */
  isRemembered?: true;
  /**
   * Whether this limits something that only reads. While the database takes no writes, each process counts it in its
   * memory.
   */
  guardsReads?: true;
};

const MINUTE = 60;

/**
 * How often things may be tried. Limits are by client for actions that cost work or mail, and by account for guesses at
 * an account. Browsers that the member has used before have their own limit for guesses, so that an attacker elsewhere
 * cannot lock the member out.
 */
export const LIMITS = {
  signInByClient: { name: "sign-in client", burst: 30, seconds: 10 },
  signInByAccount: { name: "sign-in account", burst: 10, seconds: 90 },
  signInByDevice: { name: "sign-in device", burst: 10, seconds: 30 },
  /** A whole classroom may sign up from one address. */
  signUpByClient: { name: "sign-up client", burst: 30, seconds: 2 * MINUTE },
  /** Lower than the limit of the email address, so that a single client cannot keep the address from signing up. */
  signUpByClientAndAddress: { name: "sign-up client and address", burst: 4, seconds: 30 * MINUTE },
  /** Each sign-up allows further attempts at a code. */
  signUpByAddress: { name: "sign-up address", burst: 5, seconds: 10 * MINUTE },
  checkUserByClient: { name: "check-user client", burst: 30, seconds: 10 },
  forgotByClient: { name: "forgot client", burst: 10, seconds: MINUTE },
  /** Mail to mailboxes that have not been confirmed yet. Beyond the limit no mail is sent, and nobody gets an error. */
  requestedMailByMailbox: { name: "asked mail mailbox", burst: 5, seconds: 10 * MINUTE },
  /** Lower than the limit of the mailbox, so that a single client cannot use that up. */
  requestedMailByClient: { name: "asked mail client", burst: 4, seconds: 30 * MINUTE },
  requestedMailByDevice: { name: "asked mail device", burst: 5, seconds: 10 * MINUTE },
  mailedTokensByClient: { name: "mailed tokens client", burst: 30, seconds: 10 },
  campaignCodeByAccount: { name: "campaign code account", burst: 20, seconds: 60 },
  emailCodeByAccount: { name: "email code account", burst: 20, seconds: 60 },
  changePasswordByAccount: { name: "change password account", burst: 10, seconds: 90 },
  dataExportByAccount: { name: "data export account", burst: 5, seconds: 10 * MINUTE, isRemembered: true },
  nodePassByAccount: { name: "node pass account", burst: 60, seconds: 5, guardsReads: true },
  /** With 200 items each, this is far more than a node gathers. What a day can earn is also capped. */
  jobResultsByAccount: { name: "job results account", burst: 20, seconds: 5, isRemembered: true },
  /** Only for batches with more beats than a connected node sends. */
  beatBatchByAccount: { name: "beat batch account", burst: 20, seconds: 10, isRemembered: true },
  /**
   * A key's row stays with the account even once the key is revoked. This allows more than one key for each machine
   * that an account may have.
   */
  deviceKeyByAccount: { name: "device key account", burst: 150, seconds: MINUTE, isRemembered: true },
  logExportByAccount: { name: "log export account", burst: 10, seconds: MINUTE, isRemembered: true, guardsReads: true },
  machineIdByAccount: { name: "machine id account", burst: 30, seconds: 10, isRemembered: true },
  /** Pictures of links that have not been drawn yet. Chats with many members request them from few addresses. */
  pictureByClient: { name: "picture client", burst: 30, seconds: 10, isRemembered: true, guardsReads: true },
  walletByAccount: { name: "wallet account", burst: 30, seconds: 10 },
} as const satisfies Record<string, LimitRule>;
