CREATE TABLE "campaign_mailings" (
	"campaign_id" text PRIMARY KEY NOT NULL,
	"reached_user_id" uuid,
	"emailed" integer DEFAULT 0 NOT NULL,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "campaign_mailings" ADD CONSTRAINT "campaign_mailings_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;