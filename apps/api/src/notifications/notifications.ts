import type { HubNotification } from '@hub/contract';
import type { PendingRevocations } from '../keys/pending-revocations.ts';
import type { LiveServer } from '../live/live-server.ts';
import type { Clock, Log, PushTransport, Random } from '../ports.ts';
import type { CommitReport } from '../store/commit-report.ts';
import type { PushIdentity, PushSubscriptionRecord } from '../store/notification-store.ts';
import type { Store } from '../store/store.ts';
import { isCredentialValid } from '../users/authenticate-user.ts';
import { composeBurst, composeNotification } from './compose-notification.ts';
import { type Concern, isWanted } from './concern.ts';
import { NotificationFollower } from './notification-follower.ts';
import { NotificationOutbox, type Outgoing } from './notification-outbox.ts';
import { PushSigner } from './push-identity.ts';
import { PushQueue, type PushSums } from './push-queue.ts';

interface NotificationsOptions {
  store: Store;
  clock: Clock;
  random: Random;
  log: Log;
  live: LiveServer;
  revocations: PendingRevocations;
  /** `null`: this server does not push. */
  push: { transport: PushTransport; identity: PushIdentity } | null;
  baseUrl: () => string;
}

/** Of pushing, for the metrics. */
export interface PushCounts extends PushSums {
  waiting: number;
  subscriptions: number;
}

/** RFC 8292, section 2.1: who is to be asked about these requests. A server without https has no address that others reach. */
const NOBODY = 'mailto:nobody@hub.invalid';

/** Tells people what they want to be told of: in their open pages, and by push in browsers without one. */
export class Notifications {
  readonly #options: NotificationsOptions;
  readonly #follower: NotificationFollower;
  readonly #outbox: NotificationOutbox;
  readonly #queue: PushQueue | null;

  constructor(options: NotificationsOptions) {
    const { store, clock, random, log, live, push, baseUrl } = options;
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
      canReachAnybody: () => live.counts.sockets > 0 || store.notifications.countSubscriptions() > 0,
      mustBeNotified: (personId) => this.#mustBeNotified(personId),
      onConcern: (personId, concern) => this.#outbox.add(personId, concern),
    });
    live.onAttended((personId) => this.#outbox.attended(personId));
    const contact = () => (baseUrl().startsWith('https:') ? baseUrl() : NOBODY);
    this.#queue =
      push &&
      new PushQueue({
        clock,
        random,
        log,
        transport: push.transport,
        signer: new PushSigner(push.identity, contact),
        onGone: async ({ sessionId, endpoint }) => {
          await store.notifications.unsubscribe({ sessionId, endpoint });
        },
      });
  }

  /** For browsers that subscribe; `null`: this server does not push. */
  get publicKey(): string | null {
    const { push } = this.#options;
    return push && Buffer.from(push.identity.publicKey).toString('base64url');
  }

  /** Whether push services may be on this machine, and without https. */
  get isLocalAllowed(): boolean {
    return this.#options.push?.transport.isLocalAllowed ?? false;
  }

  get counts(): PushCounts {
    const sums = this.#queue?.sums ?? { sent: 0, failed: 0, dropped: 0, gone: 0 };
    const subscriptions = this.#options.store.notifications.countSubscriptions();
    return { ...sums, waiting: this.#queue?.waiting ?? 0, subscriptions };
  }

  /** Told of each commit, in order. It only makes a note: nobody waits for what follows. */
  committed(report: CommitReport): void {
    this.#follower.committed(report);
  }

  /** Tells at once, whether the person looks or not. */
  async report(personId: string, notification: HubNotification): Promise<{ openPages: number; browsers: number }> {
    const openPages = this.#options.live.report(personId, { type: 'notice', notice: notification });
    return { openPages, browsers: await this.#push(personId, notification, null) };
  }

  stop(): void {
    this.#follower.stop();
    this.#outbox.stop();
    this.#queue?.stop();
  }

  /** Whether there is any way to this person now, and he does not look at a page anyway. */
  async #mustBeNotified(personId: string): Promise<boolean> {
    const { live } = this.#options;
    if (live.isAttended(personId)) return false;
    return live.hasPage(personId) || (await this.#subscriptionsOf(personId)).length > 0;
  }

  async #deliver(personId: string, { concern, count }: Outgoing): Promise<void> {
    const { store, live } = this.#options;
    // Since it was noted, he may have come back, left the Hub, or muted it.
    if (live.isAttended(personId) || !(await this.#isStillWanted(personId, concern))) return;
    const notification = await (count === 1
      ? composeNotification({ store }, concern)
      : composeBurst({ store }, concern, count));
    if (!notification) return;
    live.report(personId, { type: 'notice', notice: notification });
    await this.#push(personId, notification, concern);
  }

  async #isStillWanted(personId: string, { hubId, keyId, reason }: Concern): Promise<boolean> {
    return isWanted(await this.#options.store.notifications.recipient({ personId, hubId, keyId }), reason);
  }

  /** To every browser of this person that is subscribed; says how many those are. */
  async #push(personId: string, notification: HubNotification, concern: Concern | null): Promise<number> {
    if (!this.#queue) return 0;
    const subscriptions = await this.#subscriptionsOf(personId);
    for (const subscription of subscriptions) {
      const isDue = () => this.#isDue(subscription, concern);
      this.#queue.add({ subscription, notification, isDue });
    }
    return subscriptions.length;
  }

  async #subscriptionsOf(personId: string): Promise<PushSubscriptionRecord[]> {
    const { store, clock } = this.#options;
    return this.#queue ? store.notifications.subscriptions(personId, clock.now()) : [];
  }

  /** By what is committed at the moment of sending: the session is good, the browser is still subscribed, the Hub is his. */
  async #isDue({ sessionId, endpoint, personId }: PushSubscriptionRecord, concern: Concern | null): Promise<boolean> {
    const { store } = this.#options;
    const [credential, present] = await Promise.all([
      store.users.findCredentialById(sessionId, 'session'),
      store.notifications.findSubscription(sessionId),
    ]);
    if (!credential || !isCredentialValid(this.#options, credential) || present?.endpoint !== endpoint) return false;
    return concern === null || this.#isStillWanted(personId, concern);
  }
}
