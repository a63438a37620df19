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
-- Counts one request with a key, with the rule of keys/sliding-window.ts. The clock is read while the row is locked, so
-- the requests of all nodes are in one order. Returns no row for null. Times are milliseconds since 1970.
CREATE FUNCTION count_request(wanted text, test_now double precision)
RETURNS TABLE (admitted boolean, newly_blocked boolean, requests integer, wait_ms double precision)
LANGUAGE plpgsql AS $$
DECLARE
	known key_windows;
	now_ms double precision;
	saved double precision;
	back_ms double precision;
BEGIN
	IF wanted IS NULL THEN
		RETURN;
	END IF;
	SELECT * INTO known FROM key_windows WHERE key_id = wanted FOR UPDATE;
	IF NOT FOUND THEN
		INSERT INTO key_windows (key_id, seen_at) VALUES (wanted, 0) ON CONFLICT DO NOTHING;
		SELECT * INTO known FROM key_windows WHERE key_id = wanted FOR UPDATE;
	END IF;
	now_ms := coalesce(test_now, extract(epoch FROM clock_timestamp()) * 1000);
	IF known.seen_at = 0 THEN
		SELECT key.blocked_until INTO saved FROM api_keys key WHERE key.id = wanted;
		known.blocked_until := least(coalesce(saved, 0), now_ms + 300000);
	ELSIF now_ms < known.seen_at THEN
		-- The clock was set back, which makes neither the window nor a block longer.
		back_ms := known.seen_at - now_ms;
		known.blocked_until := known.blocked_until - back_ms;
		known.times := ARRAY(SELECT at - back_ms FROM unnest(known.times) at ORDER BY at);
	END IF;
	IF known.blocked_until > now_ms THEN
		UPDATE key_windows SET seen_at = now_ms, blocked_until = known.blocked_until, times = '{}' WHERE key_id = wanted;
		RETURN QUERY SELECT false, false, 0, known.blocked_until - now_ms;
		RETURN;
	END IF;
	known.times := ARRAY(SELECT at FROM unnest(known.times) at WHERE at > now_ms - 60000 ORDER BY at);
	IF cardinality(known.times) >= 60 THEN
		UPDATE key_windows SET seen_at = now_ms, blocked_until = now_ms + 300000, times = '{}' WHERE key_id = wanted;
		RETURN QUERY SELECT false, true, 0, 300000::double precision;
		RETURN;
	END IF;
	known.times := known.times || now_ms;
	UPDATE key_windows SET seen_at = now_ms, blocked_until = 0, times = known.times WHERE key_id = wanted;
	RETURN QUERY SELECT true, false, cardinality(known.times), known.times[1] + 60000 - now_ms;
END $$;
--> statement-breakpoint
-- Finds the keys with these hashes, and counts one request with each key that is valid. `n` is the position in `hashes`.
-- The hashes are in order, so that two nodes lock the windows of keys in the same order.
CREATE FUNCTION count_requests(hashes text[], test_now double precision)
RETURNS TABLE (n integer, admitted boolean, newly_blocked boolean, requests integer, wait_ms double precision,
	id text, name text, hub_id text, scopes text, expires_at bigint, overlap_ends_at bigint, revoked_at bigint,
	deleted_at bigint)
LANGUAGE plpgsql AS $$
DECLARE
	now_ms double precision;
BEGIN
	FOR position IN 1 .. cardinality(hashes) LOOP
		now_ms := coalesce(test_now, extract(epoch FROM clock_timestamp()) * 1000);
		RETURN QUERY SELECT position, counted.admitted, counted.newly_blocked, counted.requests, counted.wait_ms,
				key.id, key.name, key.hub_id, key.scopes, key.expires_at, key.overlap_ends_at, key.revoked_at, hub.deleted_at
			FROM api_keys key
			JOIN hubs hub ON hub.id = key.hub_id
			LEFT JOIN LATERAL count_request(
				CASE WHEN key.revoked_at IS NULL AND (key.expires_at IS NULL OR key.expires_at > now_ms)
					AND (key.overlap_ends_at IS NULL OR key.overlap_ends_at > now_ms) THEN key.id END, test_now) counted ON true
			WHERE key.token_hash = decode(hashes[position], 'hex');
	END LOOP;
END $$;
