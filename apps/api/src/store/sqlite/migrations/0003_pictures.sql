CREATE TABLE `pictures` (
	`owner_id` text PRIMARY KEY NOT NULL,
	`version` text NOT NULL,
	`type` text NOT NULL,
	`bytes` blob NOT NULL
);
