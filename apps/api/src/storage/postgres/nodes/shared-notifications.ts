import type { HubNotification } from '@hub/contract';
import { type SQL, sql } from 'drizzle-orm';
import { oneAtATime } from '../../../platform/repeat.ts';
import { given, rawQuery } from '../../engine/query.ts';
import { rawWrite } from '../../engine/write.ts';
import type { LeaderWork } from './leadership.ts';
import type { NodeChannelOptions, NodeMessage } from './node-channel.ts';

/** A notification that is not sent yet: of one item, or of the newest of `count` items in its Hub. */
export interface WaitingNotification {
  userId: string;
  hubId: string;
  itemId: string;
  reason: 'mention' | 'assignment' | 'reply' | 'post';
  keyId: string | null;
  /** The user who caused it; `null` if that is the author of the item. */
  byId: string | null;
  /** The number of the event. */
  seq: number;
  count: number;
}

/** The number of the last event that was read in each Hub. */
type Positions = ReadonlyMap<string, number>;

/** The users with open pages on a node, once for each page, and those who are looking at one. */
export interface Presence {
  pages: string[];
  attending: string[];
}

/** The work of a node for notifications. A new leader continues with everything that the last one has not sent. */
export interface NotificationWorker extends LeaderWork {
  /** Called when a user looks at a page on another node. */
  attended(userId: string): void;
  /** Shows a notification of the leader in the open pages on this node. */
  show(userId: string, notification: HubNotification): void;
}

/** Older events and notifications are not worth sending, for example after all nodes were stopped. */
const MAX_AGE_MS = 10 * 60_000;
/** How often each node with open pages says that it is alive. */
const HEARTBEAT_MS = 5_000;
/** Pages of a node that has not said so for this long are closed. */
const ALIVE = sql.raw(`seen_at > clock_timestamp() - interval '15 seconds'`);
/** The pause after each write of the presence, so that users who come and go all the time cause few writes. */
const PRESENCE_PAUSE_MS = 100;

/** Whether this connection is the one that holds the leader's lock, so that a former leader writes nothing. */
const isLeading = sql`pg_backend_pid() = ${given('session')}::integer`;

const beginPositions = rawWrite(
  sql`insert into notification_positions (hub_id, seq)
    select id, seq from (select '' as id, 0 as seq union all select id, seq from hubs) hub
    where not exists (select from notification_positions) on conflict do nothing`,
);
const readPositions = rawQuery(
  sql`select hubs.id, greatest(coalesce(position.seq, 0), coalesce(
      (select event.seq from events event where event.hub_number = hubs.number
        and event.at < ${given('oldest')}::bigint order by event.seq desc limit 1), 0))
    from hubs left join notification_positions position on position.hub_id = hubs.id`,
  ([hubId, seq]: readonly [string, string]) => [hubId, Number(seq)] as const,
);
const dropOld = rawWrite(sql`delete from waiting_notifications where added_at < ${given('oldest')}::bigint`);
const readWaiting = rawQuery(
  sql`select user_id, hub_id, item_id, reason, key_id, by_id, seq, count from waiting_notifications order by seq`,
  ([userId, hubId, itemId, reason, keyId, byId, seq, count]) =>
    ({ userId, hubId, itemId, reason, keyId, byId, seq: Number(seq), count: Number(count) }) as WaitingNotification,
);

const movePositions = (moved: SQL) => sql`insert into notification_positions (hub_id, seq) ${moved}
  on conflict (hub_id) do update set seq = greatest(notification_positions.seq, excluded.seq)`;
const savePositions = rawWrite(
  movePositions(sql`select key, value::bigint from jsonb_each_text(${given('positions')}::text::jsonb)
    where ${isLeading}`),
);
/** Moves the position of a Hub and saves what its events cause, in one step. */
const add = rawQuery(
  sql`with moved as (
      ${movePositions(sql`select ${given('hubId')}::text, ${given('seq')}::bigint where ${isLeading}`)}
      returning hub_id),
    added as (
      insert into waiting_notifications (user_id, hub_id, subject, item_id, reason, key_id, by_id, seq, count, added_at)
        select "userId", moved.hub_id, subject, "itemId", reason, "keyId", "byId", added.seq, count,
            ${given('now')}::bigint
          from moved, jsonb_to_recordset(${given('rows')}::text::jsonb) as added("userId" text, subject text,
            "itemId" text, reason text, "keyId" text, "byId" text, seq bigint, count bigint)
        on conflict (user_id, hub_id, subject) do update set item_id = excluded.item_id, reason = excluded.reason,
          key_id = excluded.key_id, by_id = excluded.by_id, seq = excluded.seq, sent_to = '{}',
          count = case when excluded.subject = '' then waiting_notifications.count + excluded.count else 1 end)
    select true from moved`,
  () => true,
);
const ofOne = sql`user_id = ${given('userId')} and hub_id = ${given('hubId')}
  and subject = ${given('subject')}`;
const findSent = rawQuery(
  sql`select ${given('browser')}::text = any(sent_to) from waiting_notifications where ${ofOne} and ${isLeading}`,
  ([isSent]: readonly [boolean]) => isSent,
);
const markSent = rawWrite(
  sql`update waiting_notifications set sent_to = sent_to || ${given('browser')}::text
    where ${ofOne} and seq = ${given('seq')}::bigint`,
);
const remove = rawWrite(sql`delete from waiting_notifications where ${ofOne} and seq <= ${given('seq')}::bigint`);
/** One notification has covered all items of the Hub that concern the user. */
const removeItems = rawWrite(
  sql`delete from waiting_notifications where user_id = ${given('userId')}
    and hub_id = ${given('hubId')} and subject <> '' and seq <= ${given('seq')}::bigint`,
);
const removeAll = rawWrite(sql`delete from waiting_notifications where user_id = ${given('userId')}`);

const savePresence = rawWrite(
  sql`with gone as (delete from presence where seen_at < clock_timestamp() - interval '1 hour')
    insert into presence (node_id, seen_at, pages, attending) values (${given('nodeId')}, clock_timestamp(),
        ${given('pages')}::text[], ${given('attending')}::text[])
      on conflict (node_id) do update set seen_at = excluded.seen_at, pages = excluded.pages,
        attending = excluded.attending`,
);
const removePresence = rawWrite(sql`delete from presence where node_id = ${given('nodeId')}`);
const ofOthers = sql`from presence where node_id <> ${given('nodeId')} and ${ALIVE}`;
const findPresence = rawQuery(
  sql`select coalesce(sum(cardinality(array_positions(pages, ${given('userId')}::text))), 0),
      coalesce(bool_or(${given('userId')}::text = any(attending)), false) ${ofOthers}`,
  ([pages, isAttended]: readonly [string, boolean]) => ({ pages: Number(pages), isAttended }),
);
const findUsers = rawQuery(sql`select distinct unnest(pages) ${ofOthers}`, ([id]: readonly [string]) => id);
const findAnyUser = rawQuery(
  sql`select true where exists (select from push_subscriptions) or exists (select ${ofOthers} and pages <> '{}')`,
  () => true,
);

export interface SharedNotificationsOptions
  extends Pick<NodeChannelOptions, 'nodeId' | 'on' | 'leadership' | 'clock' | 'log'> {
  send: (message: NodeMessage) => Promise<unknown>;
}

export type SharedNotifications = ReturnType<typeof sharedNotifications>;

/**
 * What the leader needs to notify for all nodes, and its successor to continue: how far events are read, what is not
 * sent yet, and who has pages open where. A position and what its events cause are saved together, on the connection
 * that holds the leader's lock; so no event is skipped, and none is read by two nodes.
 */
export function sharedNotifications({ nodeId, on, leadership, send, clock, log }: SharedNotificationsOptions) {
  let worker: NotificationWorker | undefined;
  let presence: () => Presence = () => ({ pages: [], attending: [] });
  let hasPresence = false;
  let isStopped = false;

  const asLeader = <Values extends object>(values: Values) => ({ ...values, session: leadership.session() });
  const sendOrLog = (message: NodeMessage): void =>
    // An item that is not announced to an open page is still there.
    void send(message).catch((err: unknown) => log.warn({ err }, 'Failed to send a notification to other nodes'));

  const savePages = oneAtATime(async () => {
    if (isStopped) return;
    const { pages, attending } = presence();
    try {
      if (pages.length > 0) await on.run(savePresence, { nodeId, pages, attending });
      else if (hasPresence) await on.run(removePresence, { nodeId });
      hasPresence = pages.length > 0;
    } catch (err) {
      // The next heartbeat tries again.
      hasPresence = true;
      log.warn({ err }, 'Failed to save who has pages open');
    }
    await clock.sleep(PRESENCE_PAUSE_MS);
  });
  /** Tells the other nodes that pages were opened or closed here, or that a user now looks at one. */
  const presenceChanged = (attended: string | null): void => {
    if (attended !== null) sendOrLog({ attended });
    void savePages();
  };
  const beat = async (): Promise<void> => {
    while (!isStopped) {
      await clock.sleep(HEARTBEAT_MS);
      if (hasPresence) presenceChanged(null);
    }
  };

  return {
    attach: (attached: NotificationWorker, presenceHere: () => Presence): void => {
      worker = attached;
      presence = presenceHere;
      leadership.lead(attached);
    },
    start: () => void beat(),
    stop: async (): Promise<void> => {
      isStopped = true;
      if (hasPresence) await on.run(removePresence, { nodeId }).catch(() => {});
    },
    received: ({ attended, notification }: NodeMessage): void => {
      if (attended !== undefined) worker?.attended(attended);
      if (notification !== undefined) worker?.show(notification.userId, notification.content);
    },
    /** Returns what the last leader has left. */
    takeOver: async (): Promise<{ positions: Positions; waiting: WaitingNotification[] }> => {
      const oldest = clock.now() - MAX_AGE_MS;
      await leadership.on.run(beginPositions);
      const positions = new Map(await leadership.on.all(readPositions, { oldest }));
      await leadership.on.run(dropOld, { oldest });
      return { positions, waiting: await leadership.on.all(readWaiting) };
    },
    /** Saves how far the events of Hubs are read, if they cause no notifications. */
    savePositions: async (positions: Positions) =>
      leadership.on.run(savePositions, asLeader({ positions: JSON.stringify(Object.fromEntries(positions)) })),
    /** Saves how far the events of a Hub are read, with what they cause. Rejects if this node no longer leads. */
    add: async (hubId: string, seq: number, waiting: readonly WaitingNotification[]): Promise<void> => {
      const rows = new Map<string, WaitingNotification & { subject: string }>();
      for (const each of waiting) {
        const subject = subjectOf(each);
        const key = `${each.userId} ${subject}`;
        const count = each.count + (subject === '' ? (rows.get(key)?.count ?? 0) : 0);
        rows.set(key, { ...each, subject, count });
      }
      const values = { hubId, seq, rows: JSON.stringify([...rows.values()]), now: clock.now() };
      if (!(await leadership.on.first(add, asLeader(values)))) throw new Error('This node is no longer the leader');
    },
    /** Whether this session's browser has it already; `null` if it is no longer waiting, or this node no longer leads. */
    isSent: async (waiting: WaitingNotification, browser: string): Promise<boolean | null> =>
      (await leadership.on.first(findSent, asLeader({ ...keyOf(waiting), browser }))) ?? null,
    sent: async (waiting: WaitingNotification, browser: string) => on.run(markSent, { ...keyOf(waiting), browser }),
    remove: async (waiting: WaitingNotification) => {
      const isForSeveral = waiting.reason !== 'post' && waiting.count > 1;
      return on.run(isForSeveral ? removeItems : remove, keyOf(waiting));
    },
    removeAll: async (userId: string) => on.run(removeAll, { userId }),
    /** Whether any browser is subscribed, or any page is open on another node. */
    canReachAnyUser: async () => (await on.first(findAnyUser, { nodeId })) !== undefined,
    /** The number of pages that a user has open on other nodes, and whether the user is looking at one of them. */
    presenceElsewhere: async (userId: string): Promise<{ pages: number; isAttended: boolean }> =>
      (await on.first(findPresence, { nodeId, userId })) ?? { pages: 0, isAttended: false },
    /** The users who have a page open on other nodes. */
    usersElsewhere: async () => on.all(findUsers, { nodeId }),
    presenceChanged,
    showElsewhere: (userId: string, notification: HubNotification) =>
      sendOrLog({ notification: { userId, content: notification } }),
  };
}

/** Posts in a Hub share one notification. */
const subjectOf = ({ reason, itemId }: WaitingNotification): string => (reason === 'post' ? '' : itemId);

function keyOf(waiting: WaitingNotification) {
  const { userId, hubId, seq } = waiting;
  return { userId, hubId, subject: subjectOf(waiting), seq };
}
