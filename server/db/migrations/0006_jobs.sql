CREATE TABLE "jobs" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"reference" text NOT NULL,
	"device_id" uuid,
	"finished_at" timestamp (3) with time zone NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	"result_size" bigint NOT NULL,
	CONSTRAINT "jobs_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
CREATE TABLE "jobs_daily" (
	"user_id" uuid NOT NULL,
	"day" date NOT NULL,
	"jobs" integer NOT NULL,
	"profiles" integer NOT NULL,
	"comments" integer NOT NULL,
	"posts" integer NOT NULL,
	"result_size" bigint NOT NULL,
	"points" numeric(16, 2) NOT NULL,
	CONSTRAINT "jobs_daily_user_id_day_pk" PRIMARY KEY("user_id","day")
);
--> statement-breakpoint
CREATE TABLE "jobs_network_daily" (
	"day" date NOT NULL,
	"part" smallint NOT NULL,
	"jobs" integer NOT NULL,
	"profiles" integer NOT NULL,
	"comments" integer NOT NULL,
	"posts" integer NOT NULL,
	"result_size" bigint NOT NULL,
	"points" numeric(16, 2) NOT NULL,
	CONSTRAINT "jobs_network_daily_day_part_pk" PRIMARY KEY("day","part"),
	CONSTRAINT "jobs_network_daily_part" CHECK ("jobs_network_daily"."part" between 0 and 15)
);
--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "jobs_daily" ADD CONSTRAINT "jobs_daily_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_reference_unique" ON "jobs" USING btree ("user_id","reference");--> statement-breakpoint
CREATE INDEX "jobs_by_time" ON "jobs" USING btree ("user_id","finished_at" DESC NULLS LAST);