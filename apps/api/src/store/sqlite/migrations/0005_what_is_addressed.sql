CREATE TABLE `__new_mentions` (
	`person_id` text NOT NULL,
	`item_rank` integer NOT NULL,
	`item_id` text NOT NULL,
	`hub_id` text NOT NULL,
	`kind` text NOT NULL,
	`is_named` integer NOT NULL,
	`is_answered` integer NOT NULL,
	`is_unread` integer NOT NULL,
	PRIMARY KEY(`person_id`, `item_rank`),
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO `__new_mentions`(`person_id`, `item_rank`, `item_id`, `hub_id`, `kind`, `is_named`, `is_answered`, `is_unread`) SELECT `person_id`, `item_rank`, `item_id`, `items`.`hub_id`, `items`.`kind`, 1, 0, 0 FROM `mentions` JOIN `items` ON `items`.`rank` = `item_rank`;--> statement-breakpoint
DROP TABLE `mentions`;--> statement-breakpoint
ALTER TABLE `__new_mentions` RENAME TO `mentions`;--> statement-breakpoint
CREATE INDEX `mentions_by_item` ON `mentions` (`item_id`);--> statement-breakpoint
CREATE INDEX `mentions_unread` ON `mentions` (`person_id`,`hub_id`,`item_rank`) WHERE "mentions"."is_unread";
