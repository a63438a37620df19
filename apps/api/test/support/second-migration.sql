ALTER TABLE `hubs` ADD `color` text;--> statement-breakpoint
UPDATE `hubs` SET `color` = 'blue' WHERE `deleted_at` is null;--> statement-breakpoint
CREATE TABLE `__new_events` (
	`hub_number` integer NOT NULL,
	`seq` integer NOT NULL,
	`at` integer NOT NULL,
	`event` text NOT NULL,
	`item_id` text,
	`data` text,
	`is_about_item` integer NOT NULL,
	PRIMARY KEY(`hub_number`, `seq`),
	FOREIGN KEY (`hub_number`) REFERENCES `hubs`(`number`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_events` SELECT `hub_number`, `seq`, `at`, `event`, `item_id`, `data`, `item_id` is not null FROM `events`;--> statement-breakpoint
DROP TABLE `events`;--> statement-breakpoint
ALTER TABLE `__new_events` RENAME TO `events`;
