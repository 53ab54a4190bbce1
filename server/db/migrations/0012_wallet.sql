CREATE TABLE "wallet_nonce_uses" (
	"nonce" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "wallet_changed_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "wallet_nonce_uses_expires_at" ON "wallet_nonce_uses" USING btree ("expires_at");