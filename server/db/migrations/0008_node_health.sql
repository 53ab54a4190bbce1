CREATE TABLE "refused_beats" (
	"user_id" uuid NOT NULL,
	"claimed_at" timestamp (3) with time zone NOT NULL,
	"reason" text NOT NULL,
	"device_id" uuid NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "refused_beats_user_id_claimed_at_reason_device_id_pk" PRIMARY KEY("user_id","claimed_at","reason","device_id"),
	CONSTRAINT "refused_beats_reason" CHECK ("refused_beats"."reason" in ('too_early', 'too_late', 'revoked_key'))
);
--> statement-breakpoint
CREATE TABLE "silence_mails" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"after_hours" smallint,
	"tells_return" boolean DEFAULT false NOT NULL,
	"chosen_at" timestamp (3) with time zone NOT NULL,
	"mailed_for" timestamp (3) with time zone,
	"look_at" timestamp (3) with time zone,
	CONSTRAINT "silence_mails_after_hours" CHECK ("silence_mails"."after_hours" in (1, 3, 12, 24))
);
--> statement-breakpoint
ALTER TABLE "refused_beats" ADD CONSTRAINT "refused_beats_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "silence_mails" ADD CONSTRAINT "silence_mails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "refused_beats_by_time" ON "refused_beats" USING btree ("user_id","received_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "refused_beats_received_at" ON "refused_beats" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "silence_mails_look_at" ON "silence_mails" USING btree ("look_at") WHERE "silence_mails"."look_at" is not null;