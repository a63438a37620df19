ALTER TABLE `items` ADD `edited_by_kind` text;--> statement-breakpoint
ALTER TABLE `items` ADD `edited_by_id` text;