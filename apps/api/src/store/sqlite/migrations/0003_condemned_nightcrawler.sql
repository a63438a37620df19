ALTER TABLE `workspace` ADD `longest_key_lifetime_days` integer;--> statement-breakpoint
CREATE INDEX `audit_entries_by_target` ON `audit_entries` (`target_id`,`id`);