/*
 * Every table, grouped by feature, for the code and for the migrations. They live together, below the features, because
 * a query may join tables of several features.
 *
 * Keys start with user_id, so that the tables can be sharded by member. Points are numeric with two decimals, so sums
 * are exact. All instants are timestamptz, and all days are UTC days.
 */
export * from "./tables/users.ts";
export * from "./tables/points.ts";
export * from "./tables/heartbeats.ts";
export * from "./tables/referrals.ts";
export * from "./tables/rewards.ts";
export * from "./tables/agent-insights.ts";
export * from "./tables/sessions.ts";
export * from "./tables/auth.ts";
export * from "./tables/security-activity.ts";
export * from "./tables/rate-limits.ts";
export * from "./tables/campaign-mail.ts";
export * from "./tables/email-change.ts";
export * from "./tables/bot-check.ts";
export * from "./tables/account-data.ts";
export * from "./tables/legal.ts";
export * from "./tables/silence-mail.ts";
export * from "./tables/wallet.ts";
export * from "./tables/chain.ts";
export * from "./tables/machine-id.ts";
export * from "./tables/jobs.ts";
export * from "./tables/administration.ts";
export * from "./tables/webhooks.ts";
export * from "./tables/network-days.ts";
export * from "./tables/adjustments.ts";
export * from "./tables/status.ts";
export * from "./tables/growth.ts";
