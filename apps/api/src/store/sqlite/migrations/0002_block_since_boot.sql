ALTER TABLE `api_keys` ADD `block_noted_since_boot_ms` integer;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `block_noted_boot` text;