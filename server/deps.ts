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

/** What services need from outside: the database, the settings, the clock and the engines. */
export type Deps = {
  db: Db;
  /** Where members' reads may come from in place of it. */
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
  /** How others are told of what happens here. */
  outgoing: Outgoing;
  walletNonces: WalletNonces;
  chain: ChainGateway;
  /** Wakes who does the jobs of this process, and lets them sleep. */
  jobs: Waker;
  /** How everything is, in the memory of the process. */
  status: Board;
  /** The node pass, where one is configured. */
  nodePass?: NodePassReader | undefined;
  /** Where Supabase keeps the passwords; we do without it. */
  supabase?: Supabase | undefined;
};
