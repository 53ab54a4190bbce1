-- What waited in queues of its own goes on in the one queue. Nothing is added to them meanwhile.
LOCK TABLE "mail_queue", "chain_jobs", "account_deletions" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
CREATE TABLE "background_jobs" (
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"payload" "bytea",
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"lease" uuid,
	"expires_at" timestamp (3) with time zone,
	"last_error" text,
	"dead_at" timestamp (3) with time zone,
	CONSTRAINT "background_jobs_kind_key_pk" PRIMARY KEY("kind","key")
);
--> statement-breakpoint
INSERT INTO "background_jobs" ("kind", "key", "payload", "attempts", "due_at", "expires_at")
SELECT 'mail', "id"::text, "sealed", "attempts", "due_at", "expires_at" FROM "mail_queue";--> statement-breakpoint
INSERT INTO "background_jobs" ("kind", "key", "due_at")
SELECT 'chain', "id"::text, "due_at" FROM "chain_jobs" WHERE "state" NOT IN ('finalized', 'failed');--> statement-breakpoint
INSERT INTO "background_jobs" ("kind", "key", "due_at")
SELECT 'erase-account', "user_id"::text, "due_at" FROM "account_deletions";--> statement-breakpoint
DROP TABLE "mail_queue";--> statement-breakpoint
DROP INDEX "chain_jobs_due";--> statement-breakpoint
CREATE INDEX "background_jobs_due" ON "background_jobs" USING btree ("kind","due_at") WHERE "background_jobs"."dead_at" is null;--> statement-breakpoint
CREATE INDEX "background_jobs_over" ON "background_jobs" USING btree (coalesce("dead_at", "expires_at"));--> statement-breakpoint
ALTER TABLE "chain_jobs" DROP COLUMN "turn";--> statement-breakpoint
ALTER TABLE "chain_jobs" DROP COLUMN "due_at";