ALTER TABLE `sessions` ADD `confirmed_at` integer;--> statement-breakpoint
UPDATE `sessions` SET `expires_at` = min(`expires_at`, `created_at` + 7776000000);
