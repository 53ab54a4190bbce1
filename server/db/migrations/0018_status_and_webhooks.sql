CREATE TABLE "webhook_deliveries" (
	"endpoint_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"queued_at" timestamp (3) with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_at" timestamp (3) with time zone,
	"last_status" smallint,
	"last_error" text,
	"delivered_at" timestamp (3) with time zone,
	"given_up_at" timestamp (3) with time zone,
	CONSTRAINT "webhook_deliveries_endpoint_id_event_id_pk" PRIMARY KEY("endpoint_id","event_id"),
	CONSTRAINT "webhook_deliveries_end" CHECK ("webhook_deliveries"."delivered_at" is null or "webhook_deliveries"."given_up_at" is null)
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"id" uuid PRIMARY KEY NOT NULL,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"secret" "bytea" NOT NULL,
	"previous_secret" "bytea",
	"previous_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"removed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "webhook_events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"subject" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"data" jsonb NOT NULL,
	CONSTRAINT "webhook_events_once" UNIQUE("type","subject")
);
--> statement-breakpoint
CREATE TABLE "status_days" (
	"part" text NOT NULL,
	"day" date NOT NULL,
	"up" integer NOT NULL,
	"degraded" integer NOT NULL,
	"down" integer NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "status_days_part_day_pk" PRIMARY KEY("part","day")
);
--> statement-breakpoint
CREATE TABLE "status_incidents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"part" text,
	"impact" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	CONSTRAINT "status_incidents_impact" CHECK ("status_incidents"."impact" in ('notice', 'degraded', 'down')),
	CONSTRAINT "status_incidents_times" CHECK ("status_incidents"."resolved_at" >= "status_incidents"."started_at")
);
--> statement-breakpoint
CREATE TABLE "status_samples" (
	"part" text NOT NULL,
	"minute" timestamp (3) with time zone NOT NULL,
	"state" smallint NOT NULL,
	"lag_ms" integer,
	CONSTRAINT "status_samples_part_minute_pk" PRIMARY KEY("part","minute"),
	CONSTRAINT "status_samples_state" CHECK ("status_samples"."state" between 0 and 2)
);
--> statement-breakpoint
CREATE TABLE "status_updates" (
	"incident_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"text" text NOT NULL,
	CONSTRAINT "status_updates_incident_id_id_pk" PRIMARY KEY("incident_id","id")
);
--> statement-breakpoint
ALTER TABLE "audit_entries" DROP CONSTRAINT "audit_entries_subject";--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_webhook_endpoints_id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "public"."webhook_endpoints"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event_id_webhook_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."webhook_events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "status_updates" ADD CONSTRAINT "status_updates_incident_id_status_incidents_id_fk" FOREIGN KEY ("incident_id") REFERENCES "public"."status_incidents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_event" ON "webhook_deliveries" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "webhook_events_at" ON "webhook_events" USING btree ("at");--> statement-breakpoint
CREATE INDEX "status_days_day" ON "status_days" USING btree ("day");--> statement-breakpoint
CREATE INDEX "status_incidents_resolved_at" ON "status_incidents" USING btree ("resolved_at");--> statement-breakpoint
CREATE INDEX "status_samples_minute" ON "status_samples" USING btree ("minute");--> statement-breakpoint
ALTER TABLE "audit_entries" ADD CONSTRAINT "audit_entries_subject" CHECK ("audit_entries"."subject" in ('member', 'campaign', 'referral', 'job', 'document', 'incident', 'webhook'));