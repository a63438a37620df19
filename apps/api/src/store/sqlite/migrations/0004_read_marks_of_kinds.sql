ALTER TABLE `memberships` ADD `note_read_seq` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `memberships` ADD `note_read_rank` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `memberships` ADD `todo_read_seq` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `memberships` ADD `todo_read_rank` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `memberships` SET `note_read_seq` = `read_seq`, `note_read_rank` = `read_rank`, `todo_read_seq` = `read_seq`, `todo_read_rank` = `read_rank`;
