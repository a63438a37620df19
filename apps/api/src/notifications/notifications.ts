import type { HubNotification } from '@hub/contract';
import type { Deps } from '../context/deps.ts';
import type { PushTransport } from '../core/ports.ts';
import { isCredentialValid } from '../credentials/authenticate-user.ts';
import type { CommitReport } from '../storage/commit-report.ts';
import type { PushIdentity, PushSubscriptionRecord } from '../storage/notification-store.ts';
import { composeBurst, composeNotification } from './compose-notification.ts';
import { isWanted, NotificationFollower, type NotificationTrigger } from './notification-follower.ts';
import { NotificationOutbox, type Outgoing } from './notification-outbox.ts';
import { PushSigner } from './push-crypto.ts';
import { PushQueue, type PushSums } from './push-queue.ts';

declare module '../context/deps.ts' {
  interface Deps {
    notifications: Notifications;
  }
}

interface NotificationsOptions extends Pick<Deps, 'store' | 'clock' | 'random' | 'log' | 'live' | 'revocations'> {
  /** `null` if push notifications are turned off. */
  push: { transport: PushTransport; identity: PushIdentity } | null;
  baseUrl: () => string;
  /** Whether this server notifies. Only one of several nodes does. */
  isLeader: () => boolean;
  /** The newest event of each Hub at the start. */
  heads: ReadonlyMap<string, number>;
}

/** Numbers about push notifications, for the metrics. */
export interface PushCounts extends PushSums {
  waiting: number;
  subscriptions: number;
}

/** The contact for push services (RFC 8292, section 2.1) of a server without https, which has no public address. */
const NO_CONTACT = 'mailto:nobody@hub.invalid';

/** Notifies users of the events they have chosen: in their open pages, and by push in browsers without an open page. */
export class Notifications {
  readonly #options: NotificationsOptions;
  readonly #follower: NotificationFollower;
  readonly #outbox: NotificationOutbox;
  readonly #queue: PushQueue | null;

  constructor(options: NotificationsOptions) {
    const { store, clock, random, log, live, push, baseUrl, isLeader, heads } = options;
    this.#options = options;
    this.#outbox = new NotificationOutbox({
      clock,
      log,
      deliver: (personId, outgoing) => this.#deliver(personId, outgoing),
    });
    this.#follower = new NotificationFollower({
      store,
      clock,
      log,
      heads,
      canReachAnyUser: () => isLeader() && (live.counts.sockets > 0 || store.notifications.countSubscriptions() > 0),
      shouldNotify: (personId) => this.#shouldNotify(personId),
      onTrigger: (personId, trigger) => this.#outbox.add(personId, trigger),
    });
    live.onAttended((personId) => this.#outbox.attended(personId));
    const contact = () => (baseUrl().startsWith('https:') ? baseUrl() : NO_CONTACT);
    this.#queue =
      push &&
      new PushQueue({
        clock,
        random,
        log,
        transport: push.transport,
        signer: new PushSigner(push.identity, contact),
        onGone: ({ sessionId, endpoint }) =>
          store.transaction(async (tx) => {
            // In the meantime, the browser may have subscribed again.
            const known = await tx.notifications.findSubscription(sessionId);
            if (known?.endpoint === endpoint) await tx.notifications.deleteSubscription(sessionId);
          }),
      });
  }

  /** The key that browsers subscribe with; `null` if push notifications are turned off. */
  get publicKey(): string | null {
    const { push } = this.#options;
    return push && Buffer.from(push.identity.publicKey).toString('base64url');
  }

  /** Whether push services may run on this machine and without https. */
  get isLocalAllowed(): boolean {
    return this.#options.push?.transport.isLocalAllowed ?? false;
  }

  get counts(): PushCounts {
    const sums = this.#queue?.sums ?? { sent: 0, failed: 0, dropped: 0, gone: 0 };
    const subscriptions = this.#options.store.notifications.countSubscriptions();
    return { ...sums, waiting: this.#queue?.waiting ?? 0, subscriptions };
  }

  /** Called for each commit, in order. It only records the commit; the rest happens in the background. */
  committed(report: CommitReport): void {
    this.#follower.committed(report);
  }

  /** Notifies the user immediately, even if they are looking at a page. */
  async report(personId: string, notification: HubNotification): Promise<{ openPages: number; browsers: number }> {
    const openPages = this.#options.live.report(personId, { type: 'notice', notice: notification });
    return { openPages, browsers: await this.#push(personId, notification, null) };
  }

  stop(): void {
    this.#follower.stop();
    this.#outbox.stop();
    this.#queue?.stop();
  }

  /** Returns whether the user can be reached now and is not looking at a page. */
  async #shouldNotify(personId: string): Promise<boolean> {
    const { live } = this.#options;
    if (live.isAttended(personId)) return false;
    return live.hasPage(personId) || (await this.#subscriptionsOf(personId)).length > 0;
  }

  async #deliver(personId: string, { trigger, count }: Outgoing): Promise<void> {
    const { store, live } = this.#options;
    // In the meantime, the user may have come back, left the Hub or muted it.
    if (live.isAttended(personId) || !(await this.#isStillWanted(personId, trigger))) return;
    const notification = await (count === 1
      ? composeNotification(store, trigger)
      : composeBurst(store, trigger, count));
    if (!notification) return;
    live.report(personId, { type: 'notice', notice: notification });
    await this.#push(personId, notification, trigger);
  }

  async #isStillWanted(personId: string, { hubId, keyId, reason }: NotificationTrigger): Promise<boolean> {
    return isWanted(await this.#options.store.notifications.recipient({ personId, hubId, keyId }), reason);
  }

  /** Pushes to every subscribed browser of this user. Returns the number of browsers. */
  async #push(personId: string, notification: HubNotification, trigger: NotificationTrigger | null): Promise<number> {
    if (!this.#queue) return 0;
    const subscriptions = await this.#subscriptionsOf(personId);
    for (const subscription of subscriptions) {
      const isDue = () => this.#isDue(subscription, trigger);
      this.#queue.add({ subscription, notification, isDue });
    }
    return subscriptions.length;
  }

  async #subscriptionsOf(personId: string): Promise<PushSubscriptionRecord[]> {
    const { store, clock } = this.#options;
    return this.#queue ? store.notifications.subscriptions(personId, clock.now()) : [];
  }

  /** Checks before sending that the session is valid, the browser is still subscribed and the Hub is still readable. */
  async #isDue(
    { sessionId, endpoint, personId }: PushSubscriptionRecord,
    trigger: NotificationTrigger | null,
  ): Promise<boolean> {
    const { store } = this.#options;
    const [credential, present] = await Promise.all([
      store.users.findCredentialById(sessionId, 'session'),
      store.notifications.findSubscription(sessionId),
    ]);
    if (!credential || !isCredentialValid(this.#options, credential) || present?.endpoint !== endpoint) return false;
    return trigger === null || this.#isStillWanted(personId, trigger);
  }
}
