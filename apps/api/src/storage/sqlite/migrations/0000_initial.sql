CREATE TABLE `workspace` (
	`id` integer PRIMARY KEY NOT NULL,
	`bot_id` text NOT NULL,
	`bot_name` text NOT NULL,
	`epoch` text NOT NULL,
	`created_at` integer NOT NULL,
	`name` text DEFAULT 'Hub' NOT NULL,
	`members_manage_keys` integer DEFAULT true NOT NULL,
	`longest_key_lifetime_days` integer,
	`second_factor` text DEFAULT 'optional' NOT NULL,
	`secret` blob,
	`counted_global_seq` integer DEFAULT 0 NOT NULL,
	`file_bytes` integer DEFAULT 0 NOT NULL,
	`run_id` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`caseless_name` text NOT NULL,
	`skeleton_name` text NOT NULL,
	`role` text NOT NULL,
	`password_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`disabled_at` integer,
	`last_seen_at` integer,
	`factor_due_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_by_email` ON `users` (`email`);--> statement-breakpoint
CREATE UNIQUE INDEX `names_by_caseless` ON `users` (`caseless_name`);--> statement-breakpoint
CREATE UNIQUE INDEX `names_by_skeleton` ON `users` (`skeleton_name`);--> statement-breakpoint
CREATE INDEX `users_owners` ON `users` (`id`) WHERE "users"."role" = 'owner';--> statement-breakpoint
CREATE TABLE `hubs` (
	`number` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`normalized_name` text NOT NULL,
	`topic` text,
	`conversation_id` text NOT NULL,
	`notes_bucket_id` text NOT NULL,
	`todos_bucket_id` text NOT NULL,
	`seq` integer DEFAULT 0 NOT NULL,
	`item_count` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`deleted_at` integer,
	`retention_days` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `hubs_by_id` ON `hubs` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `hubs_by_name` ON `hubs` (`normalized_name`) WHERE "hubs"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `hubs_live` ON `hubs` (`id`) WHERE "hubs"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `hubs_deleted` ON `hubs` (`id`) WHERE "hubs"."deleted_at" is not null;--> statement-breakpoint
CREATE TABLE `memberships` (
	`hub_id` text NOT NULL,
	`user_id` text NOT NULL,
	`joined_at` integer NOT NULL,
	`read_seq` integer DEFAULT 0 NOT NULL,
	`read_global_seq` integer DEFAULT 0 NOT NULL,
	`note_read_seq` integer DEFAULT 0 NOT NULL,
	`note_read_global_seq` integer DEFAULT 0 NOT NULL,
	`todo_read_seq` integer DEFAULT 0 NOT NULL,
	`todo_read_global_seq` integer DEFAULT 0 NOT NULL,
	`read_version` integer DEFAULT 0 NOT NULL,
	`is_favorite` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`hub_id`, `user_id`),
	FOREIGN KEY (`hub_id`) REFERENCES `hubs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `memberships_by_user` ON `memberships` (`user_id`,`hub_id`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` blob NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`address` text NOT NULL,
	`user_agent` text,
	`confirmed_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_by_token_hash` ON `sessions` (`token_hash`);--> statement-breakpoint
CREATE INDEX `sessions_by_user` ON `sessions` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `sessions_by_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `personal_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` blob NOT NULL,
	`last_four` text NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`last_used_at` integer,
	`last_used_address` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `personal_tokens_by_token_hash` ON `personal_tokens` (`token_hash`);--> statement-breakpoint
CREATE INDEX `personal_tokens_by_user` ON `personal_tokens` (`user_id`,`id`);--> statement-breakpoint
CREATE TABLE `device_logins` (
	`id` text PRIMARY KEY NOT NULL,
	`device_code_hash` blob NOT NULL,
	`user_code_hash` blob NOT NULL,
	`name` text NOT NULL,
	`address` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`interval_seconds` integer NOT NULL,
	`polled_at` integer,
	`decision` text,
	`user_id` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `device_logins_by_device_code` ON `device_logins` (`device_code_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `device_logins_by_user_code` ON `device_logins` (`user_code_hash`);--> statement-breakpoint
CREATE INDEX `device_logins_by_user` ON `device_logins` (`user_id`);--> statement-breakpoint
CREATE INDEX `device_logins_by_expiry` ON `device_logins` (`expires_at`);--> statement-breakpoint
CREATE TABLE `identities` (
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`checked_at` integer NOT NULL,
	`refresh_token` blob,
	PRIMARY KEY(`issuer`, `subject`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `identities_by_user` ON `identities` (`user_id`,`issuer`);--> statement-breakpoint
CREATE INDEX `identities_by_check` ON `identities` (`issuer`,`checked_at`);--> statement-breakpoint
CREATE TABLE `factors` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`key` blob NOT NULL,
	`credential_id` text,
	`counter` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `factors_by_user` ON `factors` (`user_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `factors_by_credential` ON `factors` (`credential_id`);--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`user_id` text NOT NULL,
	`hash` blob NOT NULL,
	PRIMARY KEY(`user_id`, `hash`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `used_challenges` (
	`challenge` text PRIMARY KEY NOT NULL,
	`used_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `used_challenges_by_time` ON `used_challenges` (`used_at`);--> statement-breakpoint
CREATE TABLE `links` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` blob NOT NULL,
	`mailed_token_hash` blob,
	`kind` text NOT NULL,
	`email` text,
	`role` text,
	`hub_ids` text DEFAULT '[]' NOT NULL,
	`user_id` text,
	`created_at` integer NOT NULL,
	`created_by_kind` text NOT NULL,
	`created_by_id` text,
	`created_by_name` text NOT NULL,
	`expires_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `links_by_token_hash` ON `links` (`token_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `links_by_mailed_token_hash` ON `links` (`mailed_token_hash`);--> statement-breakpoint
CREATE INDEX `links_by_kind` ON `links` (`kind`,`id`);--> statement-breakpoint
CREATE TABLE `mails` (
	`id` text PRIMARY KEY NOT NULL,
	`recipient` text NOT NULL,
	`link_kind` text,
	`link_id` text,
	`content` text NOT NULL,
	`created_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	`attempts` integer NOT NULL,
	`given_up_at` integer,
	`problem` text
);
--> statement-breakpoint
CREATE INDEX `mails_by_state` ON `mails` (`given_up_at`,`due_at`);--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`hub_id` text NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`link` text,
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
	`block_saved_at` integer,
	`block_saved_since_boot_ms` integer,
	`block_saved_boot` text,
	`last_used_at` integer,
	`last_used_address` text,
	`request_count` integer DEFAULT 0 NOT NULL,
	`post_count` integer DEFAULT 0 NOT NULL,
	`used_kinds` integer DEFAULT 0 NOT NULL,
	`counted_global_seq` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`hub_id`) REFERENCES `hubs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_by_token_hash` ON `api_keys` (`token_hash`);--> statement-breakpoint
CREATE INDEX `api_keys_by_hub` ON `api_keys` (`hub_id`,`id`);--> statement-breakpoint
CREATE INDEX `api_keys_by_issuer` ON `api_keys` (`created_by_id`,`id`) WHERE "api_keys"."created_by_id" is not null;--> statement-breakpoint
CREATE INDEX `api_keys_by_block` ON `api_keys` (`blocked_until`) WHERE "api_keys"."blocked_until" is not null;--> statement-breakpoint
CREATE TABLE `key_days` (
	`key_id` text NOT NULL,
	`day` integer NOT NULL,
	`requests` integer DEFAULT 0 NOT NULL,
	`posts` integer DEFAULT 0 NOT NULL,
	`blocks` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`key_id`, `day`),
	FOREIGN KEY (`key_id`) REFERENCES `api_keys`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `key_addresses` (
	`key_id` text NOT NULL,
	`address` text NOT NULL,
	`last_used_at` integer NOT NULL,
	`requests` integer NOT NULL,
	PRIMARY KEY(`key_id`, `address`),
	FOREIGN KEY (`key_id`) REFERENCES `api_keys`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `items` (
	`global_seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`hub_number` integer NOT NULL,
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
	`files` text,
	`status` text,
	`assignee_id` text,
	`finished_at` integer,
	`finished_by_id` text,
	`question` text,
	`parent_id` text,
	`reply_count` integer DEFAULT 0 NOT NULL,
	`last_reply_at` integer,
	`conversion_id` text,
	`conversion_kind` text,
	`source_id` text,
	`version` integer DEFAULT 1 NOT NULL,
	`edited_at` integer,
	`edited_by_kind` text,
	`edited_by_id` text,
	`deleted_at` integer,
	`deleted_by_id` text,
	`removal_id` text,
	FOREIGN KEY (`hub_number`) REFERENCES `hubs`(`number`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `items_by_id` ON `items` (`id`);--> statement-breakpoint
CREATE INDEX `items_by_hub` ON `items` (`hub_number`,`kind`,`global_seq`) WHERE "items"."deleted_at" is null or ("items"."kind" = 'message' and "items"."reply_count" > 0);--> statement-breakpoint
CREATE INDEX `items_by_parent` ON `items` (`parent_id`,`global_seq`) WHERE "items"."parent_id" is not null;--> statement-breakpoint
CREATE INDEX `items_by_assignee` ON `items` (`assignee_id`,`global_seq`) WHERE "items"."assignee_id" is not null;--> statement-breakpoint
CREATE INDEX `items_by_deletion` ON `items` (`deleted_at`,`global_seq`) WHERE "items"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX `items_deleted_by_hub` ON `items` (`hub_number`,`global_seq`) WHERE "items"."deleted_at" is not null and "items"."removal_id" is null;--> statement-breakpoint
CREATE INDEX `items_by_removal` ON `items` (`removal_id`,`global_seq`) WHERE "items"."removal_id" is not null;--> statement-breakpoint
CREATE TABLE `events` (
	`hub_number` integer NOT NULL,
	`seq` integer NOT NULL,
	`at` integer NOT NULL,
	`event` text NOT NULL,
	`item_id` text,
	`data` text,
	PRIMARY KEY(`hub_number`, `seq`),
	FOREIGN KEY (`hub_number`) REFERENCES `hubs`(`number`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `reactions` (
	`item_id` text NOT NULL,
	`emoji` text NOT NULL,
	`user_id` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`item_id`, `emoji`, `user_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `mentions` (
	`user_id` text NOT NULL,
	`item_global_seq` integer NOT NULL,
	`item_id` text NOT NULL,
	`hub_id` text NOT NULL,
	`kind` text NOT NULL,
	`is_named` integer NOT NULL,
	`is_answered` integer NOT NULL,
	`is_unread` integer NOT NULL,
	PRIMARY KEY(`user_id`, `item_global_seq`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `mentions_by_item` ON `mentions` (`item_id`);--> statement-breakpoint
CREATE INDEX `mentions_unread` ON `mentions` (`user_id`,`hub_id`,`item_global_seq`) WHERE "mentions"."is_unread";--> statement-breakpoint
CREATE TABLE `files` (
	`id` text PRIMARY KEY NOT NULL,
	`hub_id` text NOT NULL,
	`name` text NOT NULL,
	`size` integer NOT NULL,
	`content_type` text NOT NULL,
	`sha256` text NOT NULL,
	`width` integer,
	`height` integer,
	`color` text,
	`created_at` integer NOT NULL,
	`item_id` text,
	FOREIGN KEY (`hub_id`) REFERENCES `hubs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `files_by_hub` ON `files` (`hub_id`,`id`);--> statement-breakpoint
CREATE INDEX `files_by_item` ON `files` (`item_id`) WHERE "files"."item_id" is not null;--> statement-breakpoint
CREATE INDEX `files_unattached` ON `files` (`created_at`,`id`) WHERE "files"."item_id" is null;--> statement-breakpoint
CREATE TABLE `pins` (
	`item_id` text PRIMARY KEY NOT NULL,
	`hub_id` text NOT NULL,
	`pinned_at` integer NOT NULL,
	`pinned_by_id` text NOT NULL,
	FOREIGN KEY (`hub_id`) REFERENCES `hubs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`pinned_by_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `pins_by_hub` ON `pins` (`hub_id`,`pinned_at`,`item_id`);--> statement-breakpoint
CREATE TABLE `open_questions` (
	`item_id` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `open_questions_by_expiry` ON `open_questions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `todo_changes` (
	`item_id` text NOT NULL,
	`version` integer NOT NULL,
	`field` text NOT NULL,
	`value` text,
	`at` integer NOT NULL,
	`by_id` text,
	PRIMARY KEY(`item_id`, `version`, `field`)
);
--> statement-breakpoint
CREATE TABLE `removals` (
	`id` text PRIMARY KEY NOT NULL,
	`key_id` text NOT NULL,
	`hub_id` text NOT NULL,
	`from_at` integer,
	`to_at` integer,
	`count` integer NOT NULL,
	`removed_at` integer NOT NULL,
	`undone_at` integer,
	FOREIGN KEY (`key_id`) REFERENCES `api_keys`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`hub_id`) REFERENCES `hubs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `removals_by_key` ON `removals` (`key_id`,`id`);--> statement-breakpoint
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
CREATE INDEX `audit_entries_by_target` ON `audit_entries` (`target_id`,`id`);--> statement-breakpoint
CREATE TABLE `avatars` (
	`owner_id` text PRIMARY KEY NOT NULL,
	`version` text NOT NULL,
	`type` text NOT NULL,
	`bytes` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `notification_modes` (
	`user_id` text NOT NULL,
	`target_id` text NOT NULL,
	`hub_id` text NOT NULL,
	`mode` text NOT NULL,
	PRIMARY KEY(`user_id`, `target_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`hub_id`) REFERENCES `hubs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `notification_modes_by_target` ON `notification_modes` (`target_id`,`mode`,`user_id`);--> statement-breakpoint
CREATE TABLE `notification_settings` (
	`user_id` text PRIMARY KEY NOT NULL,
	`mentions` integer DEFAULT true NOT NULL,
	`assignments` integer DEFAULT true NOT NULL,
	`replies` integer DEFAULT true NOT NULL,
	`quiet_hours` text,
	`mention_mail` integer DEFAULT false NOT NULL,
	`mailed_global_seq` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `notification_settings_with_mail` ON `notification_settings` (`user_id`) WHERE "notification_settings"."mention_mail";--> statement-breakpoint
CREATE TABLE `push_identity` (
	`id` integer PRIMARY KEY NOT NULL,
	`public_key` blob NOT NULL,
	`private_key` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `push_subscriptions` (
	`session_id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`endpoint` text NOT NULL,
	`p256dh` blob NOT NULL,
	`auth` blob NOT NULL,
	`origin` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `push_subscriptions_by_user` ON `push_subscriptions` (`user_id`);--> statement-breakpoint
CREATE INDEX `push_subscriptions_by_endpoint` ON `push_subscriptions` (`endpoint`);--> statement-breakpoint
CREATE TABLE `touched_items` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`global_seq` integer NOT NULL,
	`at` integer NOT NULL
);
