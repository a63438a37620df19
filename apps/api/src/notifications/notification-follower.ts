import type { QuietHours } from '@hub/contract';
import type { Deps } from '../access/deps.ts';
import { oneAtATime } from '../platform/repeat.ts';
import type { CommitReport, CommittedPost } from '../storage/commit-report.ts';
import type { EventRecord } from '../storage/events.ts';
import type { ItemRecord } from '../storage/items.ts';
import type { Recipient, WantedTarget } from '../storage/notifications.ts';
import type { WaitingNotification } from '../storage/postgres/nodes/shared-notifications.ts';
import { mayMention } from '../workspace/items/mentions.ts';

const READ_EVENTS = 50;
/** How many events per Hub to catch up on after falling behind. Older ones are too old for a notification. */
const MAX_BEHIND = 2_000;
/** How many posts per Hub are kept from their commits. Further ones are read from the log. */
const MAX_POSTS_KEPT = 500;

interface FollowerDeps extends Pick<Deps, 'store' | 'clock' | 'log'> {
  /** The newest event of each Hub at the start: only later ones are followed. `null`: it begins with `resume`. */
  heads: ReadonlyMap<string, number> | null;
  live: { readonly sockets: { readonly size: number } };
  /** Whether there is a subscribed browser, or a page on another node. Absent if this server runs alone. */
  canReachElsewhere: (() => Promise<boolean>) | undefined;
  /** Whether this user can be reached now and is not looking at a page. */
  shouldNotify: (userId: string) => Promise<boolean>;
  /** Called with what the events of a Hub up to `seq` cause, if they cause anything. If it rejects, they are read again. */
  onTriggers: (hubId: string, seq: number, triggers: readonly TriggerFor[]) => void | Promise<void>;
}

export type TriggerFor = readonly [userId: string, trigger: NotificationTrigger];

/**
 * Follows new events after each commit, and finds the recipients of notifications. It follows them by number, as live
 * views do (ADR 8): posts from the reports of commits, other events from the log.
 */
export class NotificationFollower {
  /** The last event read per Hub. Hubs that are not in the map were created after this follower. */
  readonly #seen: Map<string, number>;
  /** Hubs with new events, the number of their newest, and the posts among them. */
  readonly #waiting = new Map<string, { newest: number; posts: CommittedPost[] }>();
  readonly #follow = oneAtATime(() => this.#followWaiting());
  #isStopped: boolean;

  constructor(private readonly deps: FollowerDeps) {
    this.#seen = new Map(deps.heads);
    this.#isStopped = deps.heads === null;
  }

  /** Called after each commit, in order. It only records the commit; the rest happens in the background. */
  committed({ heads, posts }: Pick<CommitReport, 'heads' | 'posts'>): void {
    if (this.#isStopped) return;
    if (this.#canReachNobody()) {
      for (const [hubId, newest] of heads) this.#seen.set(hubId, newest);
      return;
    }
    for (const [hubId, newest] of heads) {
      const waiting = this.#waiting.get(hubId);
      if (waiting) waiting.newest = newest;
      else this.#waiting.set(hubId, { newest, posts: [] });
    }
    for (const post of posts) {
      const waiting = this.#waiting.get(post.hubId);
      if (waiting && waiting.posts.length < MAX_POSTS_KEPT) waiting.posts.push(post);
    }
    if (this.#waiting.size > 0) void this.#follow();
  }

  /** Reads no further events. Resolves once nothing is being read anymore. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#waiting.clear();
    await this.#follow();
  }

  /** Continues after `stop` with the events after these. */
  resume(positions: Iterable<readonly [hubId: string, seq: number]>): void {
    this.#seen.clear();
    for (const [hubId, seq] of positions) this.#seen.set(hubId, seq);
    this.#isStopped = false;
  }

  get seen(): ReadonlyMap<string, number> {
    return this.#seen;
  }

  /** Resolves once all events are read that were reported so far. */
  idle(): Promise<void> {
    return this.#follow();
  }

  async #followWaiting(): Promise<void> {
    while (this.#waiting.size > 0 && !this.#isStopped) {
      await new Promise((resolve) => setImmediate(resolve));
      if (!(await this.#mayReachAnyUser())) {
        for (const [hubId, { newest }] of this.#waiting) this.#seen.set(hubId, newest);
        this.#waiting.clear();
      }
      for (const [hubId, { newest, posts }] of this.#waiting) {
        this.#waiting.delete(hubId);
        if (this.#isStopped) break;
        try {
          await this.#followPosts(hubId, posts);
          await this.#followHub(hubId, newest);
        } catch (err) {
          // The next commit in this Hub continues from here.
          this.deps.log.warn({ err, hubId }, 'Failed to resolve notification recipients');
        }
      }
    }
  }

  /** Whether this is known at once: of several nodes, the leader asks the others before it reads the events. */
  #canReachNobody(): boolean {
    try {
      return this.deps.heads !== null && this.#canReachAnyUser() === false;
    } catch {
      return false;
    }
  }

  /** If the disk does not say who is subscribed, the events are followed as usual. */
  async #mayReachAnyUser(): Promise<boolean> {
    try {
      return await this.#canReachAnyUser();
    } catch {
      return true;
    }
  }

  /** Whether any open page or subscribed browser could show a notification. */
  #canReachAnyUser(): boolean | Promise<boolean> {
    const { live, store, canReachElsewhere } = this.deps;
    if (live.sockets.size > 0) return true;
    return canReachElsewhere ? canReachElsewhere() : store.notifications.countSubscriptions() > 0;
  }

  /** Follows the posts up to one that other events come before, or that may mention users, whom only the log names. */
  async #followPosts(hubId: string, posts: readonly CommittedPost[]): Promise<void> {
    const position = this.#seen.get(hubId) ?? 0;
    const next: CommittedPost[] = [];
    for (const post of posts) if (post.seq === position + next.length + 1 && !mayMention(post)) next.push(post);
    if (next.length === 0) return;
    const targets = new Set([hubId, ...next.map(({ keyId }) => keyId)]);
    const wanting = await this.deps.store.notifications.wantingAllPosts([...targets]);
    const triggers = next.flatMap(({ id: itemId, seq, keyId }) =>
      [...recipientsAmong(wanting, [hubId, keyId])].map(
        (userId): TriggerFor => [userId, { reason: 'post', hubId, itemId, keyId, byId: null, seq }],
      ),
    );
    await this.#read(hubId, position + next.length, triggers);
  }

  async #followHub(hubId: string, newest: number): Promise<void> {
    const { store } = this.deps;
    let position = Math.max(this.#seen.get(hubId) ?? 0, newest - MAX_BEHIND);
    while (position < newest && !this.#isStopped) {
      const events = await store.events.read(hubId, position, READ_EVENTS);
      const triggers: TriggerFor[] = [];
      for (const event of events) triggers.push(...(await findRecipients(store, event)));
      position = events.at(-1)?.seq ?? position;
      await this.#read(hubId, position, triggers);
      if (events.length < READ_EVENTS) return;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** The events up to `seq` are read, and have caused these notifications, unless their recipients do not want them. */
  async #read(hubId: string, seq: number, candidates: readonly TriggerFor[]): Promise<void> {
    const triggers: TriggerFor[] = [];
    for (const each of candidates) if (await this.#isWanted(...each)) triggers.push(each);
    if (this.#isStopped) return;
    if (triggers.length > 0) await this.deps.onTriggers(hubId, seq, triggers);
    this.#seen.set(hubId, seq);
  }

  async #isWanted(userId: string, { hubId, keyId, reason }: NotificationTrigger): Promise<boolean> {
    const { store, clock, shouldNotify } = this.deps;
    if (!(await shouldNotify(userId))) return false;
    const recipient = await store.notifications.recipient({ userId, hubId, keyId });
    const { quietHours } = recipient;
    return isWanted(recipient, reason) && (quietHours === null || !isQuiet(quietHours, clock.now()));
  }
}

/** Why a user is notified. If several reasons apply, the first one in this order is used. */
export type Reason = WaitingNotification['reason'];

/** The event that a user may be notified about, and why. */
export type NotificationTrigger = Omit<WaitingNotification, 'userId' | 'count'>;

/** Returns the recipients of an event, each with the reason, before their settings; not those who caused it. */
async function findRecipients(
  { mentions, notifications }: Pick<Deps['store'], 'mentions' | 'notifications'>,
  event: EventRecord,
): Promise<Map<string, NotificationTrigger>> {
  const recipients = new Map<string, NotificationTrigger>();
  const { item, hubId } = event;
  if (!item || item.deletedAt !== null) return recipients;
  const add = (userId: string, reason: Reason, byId: string | null = null): void => {
    if (userId === (byId ?? item.authorId) || recipients.has(userId)) return;
    recipients.set(userId, { reason, hubId, itemId: item.id, keyId: item.keyId, byId, seq: event.seq });
  };
  if (isAssignment(event, item)) add(event.data.assigneeId, 'assignment', event.data.byId ?? '');
  if (!event.event.endsWith('.created')) return recipients;
  for (const userId of item.mentions) add(userId, 'mention');
  if (item.assigneeId !== null) add(item.assigneeId, 'assignment');
  if (item.parentId !== null) {
    for (const userId of await mentions.threadParticipants(item.id)) add(userId, 'reply');
  }
  const targets = [hubId, item.keyId].filter((id) => id !== null);
  for (const userId of recipientsAmong(await notifications.wantingAllPosts(targets), targets)) add(userId, 'post');
  return recipients;
}

function recipientsAmong(wanting: readonly WantedTarget[], targets: readonly string[]): Set<string> {
  return new Set(wanting.filter(({ targetId }) => targets.includes(targetId)).map(({ userId }) => userId));
}

interface Assignment {
  assigneeId: string;
  /** `null` for the local admin. */
  byId: string | null;
}

/** Returns whether the event assigned the to-do to the user who is still its assignee. */
function isAssignment(event: EventRecord, item: ItemRecord): event is EventRecord & { data: Assignment } {
  return (
    event.event === 'todo.changed' &&
    item.status === 'open' &&
    item.assigneeId !== null &&
    event.data?.assigneeId === item.assigneeId
  );
}

/** Returns whether the recipient's settings allow this notification; quiet hours are checked elsewhere. */
export function isWanted({ isReader, modes, ...choices }: Recipient, reason: Reason): boolean {
  if (!isReader || modes.some(({ mode }) => mode === 'muted')) return false;
  if (modes.some(({ mode }) => mode === 'every')) return true;
  if (reason === 'mention') return choices.mentions;
  if (reason === 'assignment') return choices.assignments;
  return reason === 'reply' && choices.replies;
}

const DAY_MINUTES = 24 * 60;
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Returns whether `now` (milliseconds since 1970) is within the quiet hours, in their time zone. */
export function isQuiet({ fromMinute, toMinute, days, timeZone }: QuietHours, now: number): boolean {
  const { day, minute } = localTime(now, timeZone);
  const isToday = days.includes(day);
  if (fromMinute < toMinute) return isToday && minute >= fromMinute && minute < toMinute;
  // Across midnight: the span that begins today, or the rest of the one that began yesterday.
  const yesterday = day === 1 ? 7 : day - 1;
  return (isToday && minute >= fromMinute) || (days.includes(yesterday) && minute < toMinute);
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Returns the day of the week, 1 for Monday, and the minutes after midnight. */
function localTime(now: number, timeZone: string): { day: number; minute: number } {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(now);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? '';
  const minute = (Number(part('hour')) * 60 + Number(part('minute'))) % DAY_MINUTES;
  return { day: WEEKDAYS.indexOf(part('weekday')) + 1, minute };
}
