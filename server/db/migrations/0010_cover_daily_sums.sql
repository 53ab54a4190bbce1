-- A member's days stand far apart in the table, each written on its own day: a chart or a count of all of them would
-- read a page of it for each. The key holds their sums as well, so that they are read from a few pages of the index.
CREATE UNIQUE INDEX points_daily_covering ON points_daily (user_id, day, category) INCLUDE (points, entries);
--> statement-breakpoint
ALTER TABLE points_daily DROP CONSTRAINT points_daily_user_id_day_category_pk;
--> statement-breakpoint
ALTER INDEX points_daily_covering RENAME TO points_daily_user_id_day_category_pk;
--> statement-breakpoint
ALTER TABLE points_daily ADD PRIMARY KEY USING INDEX points_daily_user_id_day_category_pk;
