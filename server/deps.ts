import type { KeyedCredentials } from "./secrets/credential.ts";
import type { PasswordHasher } from "./auth/password/password-hasher.ts";
import type { Supabase } from "./auth/provider/supabase-client.ts";
import type { BotCheck } from "./bot-check/bot-check.ts";
import type { ChainGateway } from "./chain/chain-gateway.ts";
import type { Db } from "./db/client.ts";
import type { Replica } from "./db/replica.ts";
import type { Env } from "./env.ts";
import type { Logger } from "./log/log.ts";
import type { Metrics } from "./metrics/metrics.ts";
import type { Outgoing } from "./webhooks/outgoing.ts";
import type { Outbox } from "./mail/outbox.ts";
import type { NodePassReader } from "./node-pass/node-pass-reader.ts";
import type { RateLimiter } from "./rate-limits/rate-limiter.ts";
import type { WalletNonces } from "./wallet/nonce.ts";
import type { Board } from "./status/board.ts";
import type { Waker } from "./jobs/waker.ts";

/** What services depend on: the database, the settings, the clock and the engines. */
export type Deps = {
  db: Db;
  /** A read replica that members' reads may use instead of `db`. */
  replica?: Replica | undefined;
  env: Env;
  log: Logger;
  metrics: Metrics;
  now: () => Date;
  passwords: PasswordHasher;
  botCheck: BotCheck;
  limits: RateLimiter;
  mailed: KeyedCredentials;
  outbox: Outbox;
  /** What outgoing webhooks need. */
  outgoing: Outgoing;
  walletNonces: WalletNonces;
  chain: ChainGateway;
  /** Wakes the job worker of this process, and lets it sleep until there is work. */
  jobs: Waker;
  /** The current status of every part, in memory. */
  status: Board;
  /** Reads the node pass, if one is configured. */
  nodePass?: NodePassReader | undefined;
  /** Set if Supabase keeps the passwords. Otherwise we do. */
  supabase?: Supabase | undefined;
};
