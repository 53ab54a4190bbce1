CREATE TABLE "invited_mailboxes" (
	"mailbox_key" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
-- As mailboxKey() computes it for members of before it knew the provider's two names.
UPDATE users SET mailbox_key = split_part(mailbox_key, '@', 1) || '@gmail.com'
  WHERE split_part(mailbox_key, '@', 2) = 'googlemail.com';
