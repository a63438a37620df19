CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`hub_id` text NOT NULL,
	`name` text NOT NULL,
	`token_hash` blob NOT NULL,
	`last_four` text NOT NULL,
	`scopes` text NOT NULL,
	`generation` integer NOT NULL,
	`predecessor_id` text,
	`successor_id` text,
	`created_at` integer NOT NULL,
	`created_by_kind` text NOT NULL,
	`created_by_id` text,
	`created_by_name` text NOT NULL,
	`expires_at` integer,
	`overlap_ends_at` integer,
	`revoked_at` integer,
	`blocked_until` integer,
	`block_noted_at` integer,
	`last_used_at` integer,
	`last_used_address` text,
	`request_count` integer DEFAULT 0 NOT NULL,
	`post_count` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`hub_id`) REFERENCES `hubs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_by_token_hash` ON `api_keys` (`token_hash`);--> statement-breakpoint
CREATE INDEX `api_keys_by_hub` ON `api_keys` (`hub_id`,`id`);--> statement-breakpoint
CREATE INDEX `api_keys_by_block` ON `api_keys` (`blocked_until`) WHERE "api_keys"."blocked_until" is not null;--> statement-breakpoint
CREATE TABLE `audit_entries` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text,
	`actor_name` text NOT NULL,
	`address` text,
	`action` text NOT NULL,
	`hub_id` text,
	`target_id` text,
	`target_name` text,
	`details` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_entries_by_hub` ON `audit_entries` (`hub_id`,`id`);--> statement-breakpoint
CREATE TABLE `events` (
	`hub_id` text NOT NULL,
	`seq` integer NOT NULL,
	`at` integer NOT NULL,
	`event` text NOT NULL,
	`item_id` text,
	PRIMARY KEY(`hub_id`, `seq`),
	FOREIGN KEY (`hub_id`) REFERENCES `hubs`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `hubs` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`conversation_id` text NOT NULL,
	`notes_bucket_id` text NOT NULL,
	`todos_bucket_id` text NOT NULL,
	`seq` integer DEFAULT 0 NOT NULL,
	`item_count` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`deleted_at` integer
);
--> statement-breakpoint
CREATE INDEX `hubs_live` ON `hubs` (`id`) WHERE "hubs"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `hubs_deleted` ON `hubs` (`id`) WHERE "hubs"."deleted_at" is not null;--> statement-breakpoint
CREATE TABLE `items` (
	`rank` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`hub_id` text NOT NULL,
	`kind` text NOT NULL,
	`seq` integer NOT NULL,
	`created_at` integer NOT NULL,
	`author_kind` text NOT NULL,
	`author_id` text NOT NULL,
	`key_id` text,
	`address` text,
	`request_id` text,
	`title` text,
	`body` text,
	`blocks` text,
	`due_at` integer,
	`priority` text,
	`status` text,
	FOREIGN KEY (`hub_id`) REFERENCES `hubs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `items_by_id` ON `items` (`id`);--> statement-breakpoint
CREATE INDEX `items_by_hub` ON `items` (`hub_id`,`kind`,`rank`);--> statement-breakpoint
CREATE TABLE `workspace` (
	`id` integer PRIMARY KEY NOT NULL,
	`bot_id` text NOT NULL,
	`bot_name` text NOT NULL,
	`epoch` text NOT NULL,
	`created_at` integer NOT NULL,
	`counted_rank` integer DEFAULT 0 NOT NULL
);
