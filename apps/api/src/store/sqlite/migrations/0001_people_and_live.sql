CREATE TABLE `key_days` (
	`key_id` text NOT NULL,
	`day` integer NOT NULL,
	`requests` integer DEFAULT 0 NOT NULL,
	`posts` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`key_id`, `day`),
	FOREIGN KEY (`key_id`) REFERENCES `api_keys`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `mentions` (
	`person_id` text NOT NULL,
	`item_rank` integer NOT NULL,
	`item_id` text NOT NULL,
	PRIMARY KEY(`person_id`, `item_rank`),
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `mentions_by_item` ON `mentions` (`item_id`);--> statement-breakpoint
CREATE TABLE `reactions` (
	`item_id` text NOT NULL,
	`emoji` text NOT NULL,
	`person_id` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`item_id`, `emoji`, `person_id`),
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `removals` (
	`id` text PRIMARY KEY NOT NULL,
	`key_id` text NOT NULL,
	`hub_id` text NOT NULL,
	`from_at` integer,
	`to_at` integer,
	`count` integer NOT NULL,
	`removed_at` integer NOT NULL,
	`undone_at` integer,
	FOREIGN KEY (`key_id`) REFERENCES `api_keys`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`hub_id`) REFERENCES `hubs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `removals_by_key` ON `removals` (`key_id`,`id`);--> statement-breakpoint
CREATE TABLE `touched_items` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`rank` integer NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `links` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` blob NOT NULL,
	`kind` text NOT NULL,
	`email` text,
	`role` text,
	`hub_ids` text DEFAULT '[]' NOT NULL,
	`person_id` text,
	`created_at` integer NOT NULL,
	`created_by_kind` text NOT NULL,
	`created_by_id` text,
	`created_by_name` text NOT NULL,
	`expires_at` integer,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `links_by_token_hash` ON `links` (`token_hash`);--> statement-breakpoint
CREATE INDEX `links_by_kind` ON `links` (`kind`,`id`);--> statement-breakpoint
CREATE TABLE `memberships` (
	`hub_id` text NOT NULL,
	`person_id` text NOT NULL,
	`joined_at` integer NOT NULL,
	`read_seq` integer DEFAULT 0 NOT NULL,
	`read_rank` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`hub_id`, `person_id`),
	FOREIGN KEY (`hub_id`) REFERENCES `hubs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `memberships_by_person` ON `memberships` (`person_id`,`hub_id`);--> statement-breakpoint
CREATE TABLE `people` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`role` text NOT NULL,
	`password_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`disabled_at` integer,
	`last_seen_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `people_by_email` ON `people` (`email`);--> statement-breakpoint
CREATE INDEX `people_owners` ON `people` (`id`) WHERE "people"."role" = 'owner';--> statement-breakpoint
CREATE TABLE `personal_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` blob NOT NULL,
	`last_four` text NOT NULL,
	`person_id` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`last_used_at` integer,
	`last_used_address` text,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `personal_tokens_by_token_hash` ON `personal_tokens` (`token_hash`);--> statement-breakpoint
CREATE INDEX `personal_tokens_by_person` ON `personal_tokens` (`person_id`,`id`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` blob NOT NULL,
	`person_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`address` text NOT NULL,
	`user_agent` text,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_by_token_hash` ON `sessions` (`token_hash`);--> statement-breakpoint
CREATE INDEX `sessions_by_person` ON `sessions` (`person_id`,`id`);--> statement-breakpoint
CREATE INDEX `sessions_by_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
DROP INDEX `items_by_hub`;--> statement-breakpoint
ALTER TABLE `items` ADD `assignee_id` text;--> statement-breakpoint
ALTER TABLE `items` ADD `finished_at` integer;--> statement-breakpoint
ALTER TABLE `items` ADD `finished_by_id` text;--> statement-breakpoint
ALTER TABLE `items` ADD `parent_id` text;--> statement-breakpoint
ALTER TABLE `items` ADD `reply_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `items` ADD `last_reply_at` integer;--> statement-breakpoint
ALTER TABLE `items` ADD `conversion_id` text;--> statement-breakpoint
ALTER TABLE `items` ADD `conversion_kind` text;--> statement-breakpoint
ALTER TABLE `items` ADD `source_id` text;--> statement-breakpoint
ALTER TABLE `items` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `items` ADD `edited_at` integer;--> statement-breakpoint
ALTER TABLE `items` ADD `deleted_at` integer;--> statement-breakpoint
ALTER TABLE `items` ADD `removal_id` text;--> statement-breakpoint
CREATE INDEX `items_by_parent` ON `items` (`parent_id`,`rank`) WHERE "items"."parent_id" is not null;--> statement-breakpoint
CREATE INDEX `items_by_assignee` ON `items` (`assignee_id`,`rank`) WHERE "items"."assignee_id" is not null;--> statement-breakpoint
CREATE INDEX `items_by_deletion` ON `items` (`deleted_at`) WHERE "items"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX `items_by_removal` ON `items` (`removal_id`,`rank`) WHERE "items"."removal_id" is not null;--> statement-breakpoint
CREATE INDEX `items_by_hub` ON `items` (`hub_id`,`kind`,`rank`) WHERE "items"."deleted_at" is null or "items"."reply_count" > 0;--> statement-breakpoint
ALTER TABLE `events` ADD `data` text;--> statement-breakpoint
ALTER TABLE `hubs` ADD `retention_days` integer;--> statement-breakpoint
ALTER TABLE `workspace` ADD `name` text DEFAULT 'Hub' NOT NULL;--> statement-breakpoint
ALTER TABLE `workspace` ADD `members_manage_keys` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `workspace` ADD `run_id` text DEFAULT '' NOT NULL;