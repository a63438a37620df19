import type { HubNotification, SentTestNotification } from '@hub/contract';
import { isCredentialValid } from '../access/caller.ts';
import type { LiveDeps } from '../live/live-server.ts';
import type { PushTransport } from '../platform/ports.ts';
import type { RequestRate } from '../platform/sliding-window.ts';
import type { CommitListeners } from '../storage/commit-report.ts';
import type { PushIdentity, PushSubscriptionRecord } from '../storage/notifications.ts';
import type {
  NotificationWorker,
  SharedNotifications,
  WaitingNotification,
} from '../storage/postgres/nodes/shared-notifications.ts';
import { composeBurst, composeNotification } from './compose-notification.ts';
import { isWanted, NotificationFollower, type NotificationTrigger, type TriggerFor } from './notification-follower.ts';
import { NotificationOutbox, type Outgoing } from './notification-outbox.ts';
import { PushQueue, type PushSums } from './push-queue.ts';

/** The dependencies of the settings of notifications. */
export interface NotificationDeps extends LiveDeps {
  notifications: Notifications;
  testNotificationRate: RequestRate;
}

interface NotificationsOptions extends Pick<LiveDeps, 'store' | 'clock' | 'log' | 'live' | 'revocations'> {
  /** `null` if push notifications are turned off. */
  push: { transport: PushTransport; identity: PushIdentity } | null;
  commits: CommitListeners;
  baseUrl: () => string;
  pushContact: string | null;
  /** The state that nodes share, only one of which notifies; `null` if this server runs alone. */
  shared: SharedNotifications | null;
  heads: ReadonlyMap<string, number>;
}

/** Numbers about push notifications, for the metrics. */
export interface PushCounts extends PushSums {
  waiting: number;
  subscriptions: number;
}

/** How often the leader looks for events that no node has announced, in calls of `tick`. */
const LOOK_TICKS = 5;

/** The contact for push services (RFC 8292, section 2.1) if there is none. Some services reject it. */
const NO_CONTACT = 'mailto:nobody@hub.invalid';
const PUBLIC_ORIGIN = /^https:\/\/(?!(?:[^/]*\.)?localhost(?::|$)|127\.|\[::1\])/;
const TEST_RESPONSE_MS = 5_000;

/** Notifies users of the events they have chosen: in their open pages, and by push in browsers without an open page. */
export class Notifications {
  readonly #follower: NotificationFollower;
  readonly #outbox: NotificationOutbox;
  readonly #queue: PushQueue | null;
  readonly #shared: SharedNotifications | null;
  /** Removals of sent notifications from what the nodes share. */
  readonly #removing = new Set<Promise<unknown>>();
  #savedPositions = new Map<string, number>();
  #ticks = 0;

  constructor(private readonly options: NotificationsOptions) {
    const { store, clock, log, live, push, baseUrl, pushContact, shared, heads } = options;
    this.#shared = shared;
    this.#outbox = new NotificationOutbox({
      clock,
      log,
      deliver: (userId, outgoing) => this.#deliver(userId, outgoing),
    });
    this.#follower = new NotificationFollower({
      store,
      clock,
      log,
      heads: this.#shared ? null : heads,
      live,
      canReachElsewhere: shared?.canReachAnyUser,
      shouldNotify: (userId) => this.#shouldNotify(userId),
      onTriggers: (hubId, seq, triggers) => this.#add(hubId, seq, triggers),
    });
    options.commits.add(this.#follower);
    live.onPresence = (attended) => {
      this.#shared?.presenceChanged(attended);
      if (attended !== null) this.#attended(attended);
    };
    if (this.#shared) this.#share(this.#shared);
    this.#queue =
      push &&
      new PushQueue({
        clock,
        log,
        ...push,
        contactFor: ({ origin }) =>
          pushContact ?? [baseUrl(), origin].find((url) => PUBLIC_ORIGIN.test(url)) ?? NO_CONTACT,
        onGone: ({ sessionId, endpoint }) =>
          store.transaction(async (tx) => {
            // In the meantime, the browser may have subscribed again.
            const subscription = await tx.notifications.findSubscription(sessionId);
            if (subscription?.endpoint === endpoint) await tx.notifications.deleteSubscription(sessionId);
          }),
      });
  }

  /** The key that browsers subscribe with; `null` if push notifications are turned off. */
  get publicKey(): string | null {
    const { push } = this.options;
    return push && Buffer.from(push.identity.publicKey).toString('base64url');
  }

  /** Whether push services may run on this machine and without https. */
  get isLocalAllowed(): boolean {
    return this.options.push?.transport.isLocalAllowed ?? false;
  }

  get counts(): PushCounts {
    const sums = this.#queue?.sums ?? { sent: 0, failed: 0, dropped: 0, gone: 0 };
    const subscriptions = this.options.store.notifications.countSubscriptions();
    return { ...sums, waiting: this.#queue?.waiting ?? 0, subscriptions };
  }

  /** Why the last notification could not be pushed; `null` if there is no problem. */
  get pushProblem(): { message: string; at: number } | null {
    return this.#queue?.lastProblem ?? null;
  }

  /** Notifies the user immediately, even if they are looking at a page. Waits a moment for the push services. */
  async report(userId: string, notification: HubNotification): Promise<SentTestNotification> {
    const openPages = await this.#show(userId, notification);
    const { promise: responded, resolve } = Promise.withResolvers<void>();
    const results: (string | null)[] = [];
    let browsers = Number.POSITIVE_INFINITY;
    const onAttempt = (problem: string | null) => {
      if (results.push(problem) >= browsers) resolve();
    };
    browsers = await this.#push(userId, notification, null, onAttempt);
    if (results.length < browsers) await Promise.race([responded, this.options.clock.sleep(TEST_RESPONSE_MS)]);
    return { openPages, browsers, problems: results.filter((problem) => problem !== null) };
  }

  /** Resolves once nothing uses the store anymore. */
  async stop(): Promise<void> {
    this.#outbox.stop();
    this.#queue?.stop();
    await this.#follower.stop();
    await this.idle();
  }

  /** Resolves once all commits so far are processed, and everything is delivered, or on its way, that is due. */
  async idle(): Promise<void> {
    await this.#follower.idle();
    await this.#outbox.idle();
    await this.#queue?.idle();
    await Promise.all(this.#removing);
  }

  #share(shared: SharedNotifications): void {
    const { live, store } = this.options;
    const lookForEvents = async () => this.#follower.committed({ heads: await store.events.heads(), posts: [] });
    const worker: NotificationWorker = {
      startLeading: async () => {
        await this.#follower.stop();
        const { positions, waiting } = await shared.takeOver();
        this.#savedPositions = new Map(positions);
        this.#follower.resume(positions);
        for (const { userId, count, ...trigger } of waiting) this.#outbox.add(userId, trigger, count);
        await lookForEvents();
      },
      tick: async () => {
        const moved = new Map([...this.#follower.seen].filter(([id, seq]) => this.#savedPositions.get(id) !== seq));
        if (moved.size > 0) await shared.savePositions(moved);
        for (const [hubId, seq] of moved) this.#savedPositions.set(hubId, seq);
        this.#ticks += 1;
        if (this.#ticks % LOOK_TICKS === 0) await lookForEvents();
      },
      stopLeading: () => {
        void this.#follower.stop();
        this.#outbox.clear();
        this.#queue?.clear();
      },
      attended: (userId) => this.#attended(userId),
      show: (userId, notification) => void live.report(userId, { type: 'notification', notification }),
    };
    shared.attach(worker, () => live.presence);
  }

  /** The events up to `seq` cause these notifications. */
  async #add(hubId: string, seq: number, triggers: readonly TriggerFor[]): Promise<void> {
    const waiting = triggers.map(([userId, trigger]) => ({ ...trigger, userId, count: 1 }));
    await this.#shared?.add(hubId, seq, waiting);
    for (const [userId, trigger] of triggers) this.#outbox.add(userId, trigger);
  }

  #attended(userId: string): void {
    if (this.#outbox.attended(userId)) this.#remove((shared) => shared.removeAll(userId));
  }

  /** Removes what is sent, or not wanted anymore, from what the next leader would send. */
  #remove(remove: (shared: SharedNotifications) => Promise<unknown>): void {
    if (!this.#shared) return;
    const removing = remove(this.#shared)
      .catch((err: unknown) => this.options.log.warn({ err }, 'Failed to record that a notification was sent'))
      .finally(() => this.#removing.delete(removing));
    this.#removing.add(removing);
  }

  /** Returns the users who have a page open, through any node. */
  async presentUsers(): Promise<ReadonlySet<string>> {
    const elsewhere = (await this.#shared?.usersElsewhere()) ?? [];
    return new Set([...this.options.live.presence.pages, ...elsewhere]);
  }

  /** Returns whether the user is looking at a page, through any node. */
  async #isAttended(userId: string): Promise<boolean> {
    if (this.options.live.isAttended(userId)) return true;
    return (await this.#shared?.presenceElsewhere(userId))?.isAttended ?? false;
  }

  /** Returns whether the user can be reached now and is not looking at a page. */
  async #shouldNotify(userId: string): Promise<boolean> {
    const { live } = this.options;
    if (live.isAttended(userId)) return false;
    const elsewhere = await this.#shared?.presenceElsewhere(userId);
    if (elsewhere?.isAttended) return false;
    if (live.hasPage(userId) || (elsewhere && elsewhere.pages > 0)) return true;
    return (await this.#subscriptionsOf(userId)).length > 0;
  }

  async #deliver(userId: string, { trigger, count }: Outgoing): Promise<void> {
    const { store } = this.options;
    const waiting = { ...trigger, userId, count };
    // In the meantime, the user may have come back, left the Hub or muted it.
    const isWanted = !(await this.#isAttended(userId)) && (await this.#isStillWanted(userId, trigger));
    const compose = () => (count === 1 ? composeNotification(store, waiting) : composeBurst(store, trigger, count));
    const notification = isWanted && (await compose());
    if (!notification) return this.#remove((shared) => shared.remove(waiting));
    await this.#show(userId, notification);
    await this.#push(userId, notification, waiting);
  }

  /** Shows a notification in the open pages of a user, on all nodes. Returns their number. */
  async #show(userId: string, notification: HubNotification): Promise<number> {
    const here = this.options.live.report(userId, { type: 'notification', notification });
    const elsewhere = (await this.#shared?.presenceElsewhere(userId))?.pages ?? 0;
    if (elsewhere > 0) this.#shared?.showElsewhere(userId, notification);
    return here + elsewhere;
  }

  async #isStillWanted(userId: string, { hubId, keyId, reason }: NotificationTrigger): Promise<boolean> {
    return isWanted(await this.options.store.notifications.recipient({ userId, hubId, keyId }), reason);
  }

  /** Pushes to every subscribed browser of this user. Returns the number of browsers. */
  async #push(
    userId: string,
    notification: HubNotification,
    waiting: WaitingNotification | null,
    onAttempt?: (problem: string | null) => void,
  ): Promise<number> {
    const subscriptions = await this.#subscriptionsOf(userId);
    let left = subscriptions.length;
    /** Whether this node still leads, so that no other one sends it. */
    let isOurs = true;
    const settled = (browser: string) => {
      left -= 1;
      if (!waiting || !isOurs) return;
      this.#remove((shared) => (left > 0 ? shared.sent(waiting, browser) : shared.remove(waiting)));
    };
    if (waiting && left === 0) this.#remove((shared) => shared.remove(waiting));
    for (const subscription of subscriptions) {
      const isDue = async () => {
        if (!(await this.#isDue(subscription, waiting))) return false;
        if (!waiting || !this.#shared) return true;
        const isSent = await this.#shared.isSent(waiting, subscription.sessionId);
        isOurs = isSent !== null;
        return isSent === false;
      };
      const onSettled = () => settled(subscription.sessionId);
      this.#queue?.add({ subscription, notification, isDue, onSettled, ...(onAttempt && { onAttempt }) });
    }
    return subscriptions.length;
  }

  async #subscriptionsOf(userId: string): Promise<PushSubscriptionRecord[]> {
    const { store, clock } = this.options;
    return this.#queue ? store.notifications.subscriptions(userId, clock.now()) : [];
  }

  /** Checks before sending that the session is valid, the browser is still subscribed and the Hub is still readable. */
  async #isDue(
    { sessionId, endpoint, userId }: PushSubscriptionRecord,
    waiting: WaitingNotification | null,
  ): Promise<boolean> {
    const { store } = this.options;
    const [credential, present] = await Promise.all([
      store.users.findCredentialById(sessionId, 'session'),
      store.notifications.findSubscription(sessionId),
    ]);
    if (!credential || !isCredentialValid(this.options, credential) || present?.endpoint !== endpoint) return false;
    return waiting === null || this.#isStillWanted(userId, waiting);
  }
}
