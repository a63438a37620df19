CREATE TABLE `key_addresses` (
	`key_id` text NOT NULL,
	`address` text NOT NULL,
	`last_used_at` integer NOT NULL,
	`requests` integer NOT NULL,
	PRIMARY KEY(`key_id`, `address`),
	FOREIGN KEY (`key_id`) REFERENCES `api_keys`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `notice_modes` (
	`person_id` text NOT NULL,
	`target_id` text NOT NULL,
	`hub_id` text NOT NULL,
	`mode` text NOT NULL,
	PRIMARY KEY(`person_id`, `target_id`),
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`hub_id`) REFERENCES `hubs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `notice_modes_by_target` ON `notice_modes` (`target_id`,`mode`,`person_id`);--> statement-breakpoint
CREATE TABLE `notice_settings` (
	`person_id` text PRIMARY KEY NOT NULL,
	`mentions` integer DEFAULT true NOT NULL,
	`assignments` integer DEFAULT true NOT NULL,
	`replies` integer DEFAULT true NOT NULL,
	`quiet_hours` text,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `push_identity` (
	`id` integer PRIMARY KEY NOT NULL,
	`public_key` blob NOT NULL,
	`private_key` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `push_subscriptions` (
	`session_id` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`endpoint` text NOT NULL,
	`p256dh` blob NOT NULL,
	`auth` blob NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `push_subscriptions_by_person` ON `push_subscriptions` (`person_id`);--> statement-breakpoint
CREATE INDEX `push_subscriptions_by_endpoint` ON `push_subscriptions` (`endpoint`);--> statement-breakpoint
CREATE TABLE `pictures` (
	`owner_id` text PRIMARY KEY NOT NULL,
	`version` text NOT NULL,
	`type` text NOT NULL,
	`bytes` blob NOT NULL
);
--> statement-breakpoint
ALTER TABLE `api_keys` ADD `used_kinds` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `api_keys_by_issuer` ON `api_keys` (`created_by_id`,`id`) WHERE "api_keys"."created_by_id" is not null;--> statement-breakpoint
ALTER TABLE `key_days` ADD `blocks` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `workspace` ADD `longest_key_lifetime_days` integer;--> statement-breakpoint
CREATE INDEX `audit_entries_by_target` ON `audit_entries` (`target_id`,`id`);