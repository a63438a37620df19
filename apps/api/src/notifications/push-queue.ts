import { hash } from 'node:crypto';
import type { HubNotification } from '@hub/contract';
import type { Deps } from '../access/deps.ts';
import type { PushRequest, PushTransport } from '../platform/ports.ts';
import type { PushIdentity, PushSubscriptionRecord } from '../storage/notifications.ts';

/** Beyond this many, the oldest of the user with the most is dropped: late notifications are worthless. */
const MAX_WAITING = 1_000;
const MAX_IN_FLIGHT = 8;
/** Limited because a push service, or a host that pretends to be one, may hold every request until it times out. */
const MAX_IN_FLIGHT_PER_ORIGIN = 2;
/** Limited because each browser of a user may name a different host. */
const MAX_IN_FLIGHT_PER_USER = 2;
/** How long a push service keeps a notification for a browser that is offline. */
const TTL_SECONDS = 24 * 60 * 60;
/** RFC 8292, section 2, allows 24 hours; half of that leaves room for clocks that differ. */
const TOKEN_SECONDS = 12 * 60 * 60;
const ENCODING = 'aes128gcm';
/** The minimum delay before the only retry after a temporary failure. */
const MIN_RETRY_MS = 30_000;
const MAX_RETRY_MS = 5 * 60_000;

/** Sums since the start, for the metrics. */
export interface PushSums {
  sent: number;
  failed: number;
  dropped: number;
  gone: number;
}

interface PushJob {
  subscription: PushSubscriptionRecord;
  notification: HubNotification;
  /** Returns whether the notification may still be sent to this subscription. Called right before sending. */
  isDue: () => Promise<boolean>;
  /** Called when it was sent, or will never be; but not if the queue is cleared before. */
  onSettled?: () => void;
  /** Called after the first attempt, with the problem if it failed. */
  onAttempt?: (problem: string | null) => void;
  isRetry?: boolean;
}

interface PushQueueDeps extends Pick<Deps, 'clock' | 'log'> {
  transport: PushTransport;
  identity: PushIdentity;
  /** Returns the https or mailto URL at which the push service of a subscription reaches the operator of this server. */
  contactFor: (subscription: PushSubscriptionRecord) => string;
  /** Called when the push service reports that the subscription no longer exists. */
  onGone: (subscription: PushSubscriptionRecord) => Promise<void>;
}

/** A waiting job, with the origin and time that determine whether it may be sent now. */
interface Waiting extends PushJob {
  origin: string;
  generation: number;
  /** On the monotonic clock; 0 for a first attempt. */
  notBefore: number;
}

/** Sends notifications to push services, a few at a time, with users taking turns. No request waits for this. */
export class PushQueue {
  /** Jobs by user, oldest first, including retries. The user whose turn is next comes first. */
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #inFlight = new Set<Waiting>();
  /** Jobs in flight for which it is not known yet whether they are due. */
  readonly #checking = new Set<Promise<boolean>>();
  readonly sums: PushSums = { sent: 0, failed: 0, dropped: 0, gone: 0 };
  /** Why the last notification could not be sent, until one is sent through the same service. */
  lastProblem: { service: string; message: string; at: number } | null = null;
  #isStopped = false;
  /** How often the queue was cleared, so that a job in flight is not retried after that. */
  #generation = 0;

  constructor(private readonly deps: PushQueueDeps) {}

  /** Jobs in flight or due; retries that are not due yet are left out. */
  get waiting(): number {
    const now = this.deps.clock.monotonic();
    return this.#inFlight.size + this.#jobs().filter(({ notBefore }) => notBefore <= now).length;
  }

  add(job: PushJob): void {
    const { origin } = new URL(job.subscription.endpoint);
    this.#enqueue({ ...job, origin, notBefore: 0, generation: this.#generation });
  }

  /** Resolves once every job that can be sent now is on its way. */
  async idle(): Promise<void> {
    while (this.#checking.size > 0) await Promise.allSettled(this.#checking);
  }

  clear(): void {
    this.#waiting.clear();
    this.#generation += 1;
  }

  stop(): void {
    this.#isStopped = true;
    this.clear();
  }

  #jobs(): Waiting[] {
    return [...this.#waiting.values()].flat();
  }

  #enqueue(job: Waiting): void {
    if (this.#isStopped || job.generation !== this.#generation) return;
    const { userId } = job.subscription;
    const own = this.#waiting.get(userId) ?? [];
    this.#waiting.set(userId, own);
    // The browser shows only the latest of them, which a retry would replace with an older one.
    const isSame = ({ subscription, notification }: Waiting): boolean =>
      subscription.endpoint === job.subscription.endpoint && notification.tag === job.notification.tag;
    const former = own.find(isSame);
    if (former && job.isRetry) {
      job.onSettled?.();
      return;
    }
    if (former) own.splice(own.indexOf(former), 1)[0]?.onSettled?.();
    own.push(job);
    if (this.#jobs().length > MAX_WAITING) this.#dropOne();
    this.#startReady();
  }

  #dropOne(): void {
    const [[userId, jobs] = ['', []]] = [...this.#waiting].sort(([, a], [, b]) => b.length - a.length);
    jobs.shift()?.onSettled?.();
    if (jobs.length === 0) this.#waiting.delete(userId);
    this.sums.dropped += 1;
  }

  #startReady(): void {
    while (this.#inFlight.size < MAX_IN_FLIGHT) {
      const job = this.#takeNext();
      if (!job) return;
      void this.#run(job);
    }
  }

  /** Takes the first job that may be sent, and moves its user to the end of the round. */
  #takeNext(): Waiting | null {
    const now = this.deps.clock.monotonic();
    for (const [userId, jobs] of this.#waiting) {
      const index = jobs.findIndex((job) => job.notBefore <= now && this.#hasSlot(job));
      const [job] = index === -1 ? [] : jobs.splice(index, 1);
      if (!job) continue;
      this.#waiting.delete(userId);
      if (jobs.length > 0) this.#waiting.set(userId, jobs);
      return job;
    }
    return null;
  }

  /** A user never holds both slots of an origin, so that requests that hang for one user do not block the others. */
  #hasSlot({ origin, subscription: { userId } }: Waiting): boolean {
    const ofOrigin = [...this.#inFlight].filter((job) => job.origin === origin);
    const ofUser = [...this.#inFlight].filter((job) => job.subscription.userId === userId);
    return (
      ofOrigin.length < MAX_IN_FLIGHT_PER_ORIGIN &&
      ofUser.length < MAX_IN_FLIGHT_PER_USER &&
      !ofUser.some((job) => job.origin === origin)
    );
  }

  async #run(job: Waiting): Promise<void> {
    this.#inFlight.add(job);
    try {
      if (await this.#isDue(job)) await this.#send(job);
      else job.onSettled?.();
    } catch (err) {
      const { host: service } = new URL(job.subscription.endpoint);
      this.#failed(job, { err, service }, `${service}: ${err instanceof Error ? err.message : String(err)}`, null);
    }
    this.#inFlight.delete(job);
    this.#startReady();
  }

  #isDue(job: Waiting): Promise<boolean> {
    const checking = job.isDue().finally(() => this.#checking.delete(checking));
    this.#checking.add(checking);
    return checking;
  }

  async #send(job: Waiting): Promise<void> {
    const { subscription, notification } = job;
    const { transport } = this.deps;
    const { status, retryAfter, reason } = await transport.post({
      endpoint: subscription.endpoint,
      ...(await this.#message(subscription, notification)),
    });
    const service = new URL(subscription.endpoint).host;
    if (status >= 200 && status < 300) {
      this.sums.sent += 1;
      if (this.lastProblem?.service === service) this.lastProblem = null;
      job.onAttempt?.(null);
      job.onSettled?.();
    } else if (status === 404 || status === 410) {
      this.sums.gone += 1;
      this.deps.log.info({ service, sessionId: subscription.sessionId }, 'Push subscription is gone and was removed');
      job.onAttempt?.(`${service}: the subscription no longer exists`);
      job.onSettled?.();
      await this.deps.onGone(subscription);
    } else {
      const isTemporary = status === 429 || status >= 500;
      const problem = `${service}: ${[status, reason].join(' ').trim()}`;
      this.#failed(isTemporary ? job : { ...job, isRetry: true }, { service, status, reason }, problem, retryAfter);
    }
  }

  /**
   * Encrypts a notification for the browser (RFC 8291), and proves to the push service that the server sends it that
   * the browser subscribed with (VAPID, RFC 8292). The latest of one topic replaces the others (RFC 8030, section 5).
   */
  async #message(
    subscription: PushSubscriptionRecord,
    notification: HubNotification,
  ): Promise<Pick<PushRequest, 'headers' | 'body'>> {
    // Loaded by the first notification, since most starts and requests do not need it.
    const { encrypt, getVapidHeaders } = (await import('web-push')).default;
    const { identity, contactFor, clock } = this.deps;
    const { kind, tag } = notification;
    const vapid = getVapidHeaders(
      new URL(subscription.endpoint).origin,
      contactFor(subscription),
      base64url(identity.publicKey),
      base64url(identity.privateKey),
      ENCODING,
      Math.floor(clock.now() / 1_000) + TOKEN_SECONDS,
    );
    const text = JSON.stringify(notification);
    const { cipherText } = encrypt(base64url(subscription.p256dh), base64url(subscription.auth), text, ENCODING);
    return {
      headers: {
        authorization: vapid.Authorization,
        'content-encoding': ENCODING,
        'content-type': 'application/octet-stream',
        ttl: String(TTL_SECONDS),
        urgency: kind === 'post' || kind === 'several' ? 'normal' : 'high',
        topic: hash('sha256', tag, 'base64url').slice(0, 32),
      },
      body: new Uint8Array(cipherText),
    };
  }

  #failed(
    job: Waiting,
    fields: { service: string; [name: string]: unknown },
    problem: string,
    retryAfter: string | null,
  ): void {
    job.onAttempt?.(problem);
    if (job.isRetry) {
      this.lastProblem = { service: fields.service, message: problem, at: this.deps.clock.now() };
      this.sums.failed += 1;
      this.deps.log.warn(fields, 'Failed to send a push notification');
      job.onSettled?.();
      return;
    }
    void this.#retry(job, retryAfter);
  }

  async #retry(job: Waiting, retryAfter: string | null): Promise<void> {
    const requested = Number(retryAfter) * 1_000;
    const ms = Math.min(MAX_RETRY_MS, Math.max(MIN_RETRY_MS, Number.isFinite(requested) ? requested : 0));
    this.#enqueue({ ...job, isRetry: true, notBefore: this.deps.clock.monotonic() + ms });
    await this.deps.clock.sleep(ms);
    this.#startReady();
  }
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}
