ALTER TABLE "sign_ups" ADD COLUMN "sealed_password" "bytea";--> statement-breakpoint
ALTER TABLE "sign_ups" ADD COLUMN "device_hash" "bytea";