CREATE TABLE `key_addresses` (
	`key_id` text NOT NULL,
	`address` text NOT NULL,
	`last_used_at` integer NOT NULL,
	`requests` integer NOT NULL,
	PRIMARY KEY(`key_id`, `address`),
	FOREIGN KEY (`key_id`) REFERENCES `api_keys`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `api_keys` ADD `used_kinds` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `key_days` ADD `blocks` integer DEFAULT 0 NOT NULL;