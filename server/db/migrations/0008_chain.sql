CREATE TABLE "chain_jobs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"owner" text NOT NULL,
	"consent_digest" text NOT NULL,
	"consent_nonce" numeric(78, 0) NOT NULL,
	"consent_signature" text NOT NULL,
	"station_nonce" numeric(78, 0) NOT NULL,
	"machine_address" text,
	"target" text,
	"calldata" text,
	"sender" text,
	"sender_nonce" bigint,
	"raw_tx" text,
	"tx_hash" text,
	"replaced_hashes" text[] DEFAULT '{}' NOT NULL,
	"since_block" bigint,
	"block_hash" text,
	"block_number" bigint,
	"error_name" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"turn" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"completed_at" timestamp (3) with time zone,
	"failed_at" timestamp (3) with time zone,
	CONSTRAINT "chain_jobs_kind" CHECK ("chain_jobs"."kind" in ('deploy', 'execute'))
);
--> statement-breakpoint
CREATE TABLE "chain_senders" (
	"address" text PRIMARY KEY NOT NULL,
	"last_nonce" bigint
);
--> statement-breakpoint
CREATE TABLE "ledger_accounts" (
	"address" text PRIMARY KEY NOT NULL,
	"factory" text NOT NULL,
	"owner" text NOT NULL,
	"nonce" numeric(78, 0) NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_attributes" (
	"account" text NOT NULL,
	"name" "bytea" NOT NULL,
	"value" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "ledger_attributes_account_name_pk" PRIMARY KEY("account","name")
);
--> statement-breakpoint
CREATE TABLE "machine_identities" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"id" uuid NOT NULL,
	"owner" text NOT NULL,
	"machine_address" text NOT NULL,
	"did_name" text NOT NULL,
	"tag" text NOT NULL,
	"target" text NOT NULL,
	"calldata" text NOT NULL,
	"nonce" numeric(78, 0) NOT NULL,
	"email_salt" "bytea" NOT NULL,
	"email_signature" text NOT NULL,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"owner_signature" text,
	"signed_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "chain_jobs" ADD CONSTRAINT "chain_jobs_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "machine_identities" ADD CONSTRAINT "machine_identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "chain_jobs_consent_digest_unique" ON "chain_jobs" USING btree ("consent_digest");--> statement-breakpoint
CREATE UNIQUE INDEX "chain_jobs_station_nonce_unique" ON "chain_jobs" USING btree ("station_nonce");--> statement-breakpoint
CREATE UNIQUE INDEX "chain_jobs_active_unique" ON "chain_jobs" USING btree ("user_id","kind") WHERE "chain_jobs"."state" <> 'failed';--> statement-breakpoint
CREATE UNIQUE INDEX "chain_jobs_sender_nonce_unique" ON "chain_jobs" USING btree ("sender","sender_nonce");--> statement-breakpoint
CREATE INDEX "chain_jobs_by_user" ON "chain_jobs" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "chain_jobs_due" ON "chain_jobs" USING btree ("due_at") WHERE "chain_jobs"."state" not in ('finalized', 'failed');--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_accounts_nonce_unique" ON "ledger_accounts" USING btree ("factory","owner","nonce");