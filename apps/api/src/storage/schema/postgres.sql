-- The requests of each key within the last minute, and its block. Unlogged: a crash may lose the window, but not the
-- block, which `api_keys` has, too.
CREATE UNLOGGED TABLE "key_windows" (
	"key_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"times" double precision[] DEFAULT '{}' NOT NULL,
	"blocked_until" double precision DEFAULT 0 NOT NULL,
	"seen_at" double precision NOT NULL
) WITH (fillfactor = 50);
--> statement-breakpoint
-- Attempts with wrong passwords in the hour since `started_at`, and those that run. Unlogged: a crash may lose them.
-- Times are milliseconds since 1970.
CREATE UNLOGGED TABLE "password_guesses" (
	"name" text COLLATE "C" PRIMARY KEY NOT NULL,
	"started_at" double precision NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"running" integer DEFAULT 0 NOT NULL,
	"changed_at" double precision DEFAULT 0 NOT NULL
) WITH (fillfactor = 50);
--> statement-breakpoint
CREATE INDEX "password_guesses_by_start" ON "password_guesses" USING btree ("started_at");
--> statement-breakpoint
-- The number of changes to anyone's rights, so that each node notices them even if it misses a notification.
CREATE TABLE "node_state" (
	"id" integer PRIMARY KEY NOT NULL,
	"rights_version" bigint NOT NULL
);
--> statement-breakpoint
-- How far the leader has read the events of each Hub for notifications. Hubs without a row are read from their start.
CREATE TABLE "notification_positions" (
	"hub_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"seq" bigint NOT NULL
);
--> statement-breakpoint
-- Notifications that the leader has not sent yet, so that the next leader can: one for each item that concerns a user,
-- and one for all posts in a Hub (`subject` is empty, and `item_id` the newest of `count` posts).
CREATE TABLE "waiting_notifications" (
	"user_id" text COLLATE "C" NOT NULL,
	"hub_id" text COLLATE "C" NOT NULL,
	"subject" text COLLATE "C" NOT NULL,
	"item_id" text COLLATE "C" NOT NULL,
	"reason" text COLLATE "C" NOT NULL,
	"key_id" text COLLATE "C",
	"by_id" text COLLATE "C",
	"seq" bigint NOT NULL,
	"count" bigint NOT NULL,
	"added_at" bigint NOT NULL,
	"sent_to" text[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "waiting_notifications_pk" PRIMARY KEY("user_id","hub_id","subject")
);
--> statement-breakpoint
-- The users with an open page on each node, once for each page, and those who are looking at one. Unlogged: every node
-- writes its row again after a crash.
CREATE UNLOGGED TABLE "presence" (
	"node_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"seen_at" timestamptz NOT NULL,
	"pages" text[] NOT NULL,
	"attending" text[] NOT NULL
);
--> statement-breakpoint
-- Counts requests with keys, with the rule of `SlidingWindow`; a key is named once for each request. The clock is read
-- while the rows are locked, so the requests of all nodes are in one order. Returns no row for null. `n` is the position
-- in `wanted`. Times are milliseconds since 1970.
CREATE FUNCTION count_requests(wanted text[], test_now double precision)
RETURNS TABLE (n integer, admitted boolean, newly_blocked boolean, requests integer, wait_ms double precision)
-- Planning would take longer than counting.
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
	INSERT INTO key_windows (key_id, seen_at)
		SELECT DISTINCT id, 0 FROM unnest(wanted) id
			WHERE id IS NOT NULL AND NOT EXISTS (SELECT FROM key_windows WHERE key_id = id AND key_id = ANY(wanted))
			-- Like the locks below: two nodes that insert the same keys wait for each other.
			ORDER BY id
		ON CONFLICT DO NOTHING;
	RETURN QUERY
	WITH request AS (
		SELECT id, position::integer AS n, row_number() OVER (PARTITION BY id ORDER BY position)::integer AS nth
			FROM unnest(wanted) WITH ORDINALITY AS each(id, position) WHERE id IS NOT NULL),
	-- All nodes lock the windows of keys in the same order.
	known AS MATERIALIZED (
		SELECT * FROM key_windows WHERE key_id = ANY(wanted) ORDER BY key_id FOR UPDATE),
	clock AS MATERIALIZED (
		SELECT coalesce(test_now, extract(epoch FROM clock_timestamp()) * 1000) AS now_ms FROM (SELECT count(*) FROM known) locked),
	-- A clock that was set back makes neither the window nor a block longer.
	moved AS (
		SELECT known.*, now_ms, CASE WHEN now_ms < seen_at THEN seen_at - now_ms ELSE 0 END AS back_ms FROM known, clock),
	before AS MATERIALIZED (
		SELECT key_id, now_ms, asked,
				CASE WHEN seen_at = 0 THEN (SELECT least(coalesce(key.blocked_until, 0), now_ms + 300000) FROM api_keys key WHERE key.id = key_id)
					ELSE blocked_until - back_ms END AS blocked_until,
				ARRAY(SELECT at - back_ms FROM unnest(times) at WHERE at - back_ms > now_ms - 60000 ORDER BY at) AS times
			FROM moved JOIN (SELECT id, count(*)::integer AS asked FROM request GROUP BY id) asking ON id = key_id),
	decided AS MATERIALIZED (
		SELECT *, blocked_until > now_ms AS is_blocked,
				CASE WHEN blocked_until > now_ms THEN 0 ELSE 60 - cardinality(times) END AS room FROM before),
	counted AS (
		UPDATE key_windows SET seen_at = now_ms,
				blocked_until = CASE WHEN is_blocked THEN decided.blocked_until WHEN asked > room THEN now_ms + 300000 ELSE 0 END,
				times = CASE WHEN asked > room THEN '{}' ELSE decided.times || array_fill(now_ms, ARRAY[asked]) END
			-- Without the array, PostgreSQL expects so many keys that it reads all of them.
			FROM decided WHERE key_windows.key_id = decided.key_id AND key_windows.key_id = ANY(wanted))
	SELECT n, nth <= room, NOT is_blocked AND nth = room + 1,
			CASE WHEN nth <= room THEN cardinality(times) + nth ELSE 0 END,
			CASE WHEN nth <= room THEN coalesce(times[1], now_ms) + 60000 - now_ms
				WHEN is_blocked THEN blocked_until - now_ms ELSE 300000 END
		FROM request JOIN decided ON key_id = id;
END $$;
