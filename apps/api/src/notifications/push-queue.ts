import { hash } from 'node:crypto';
import type { HubNotification } from '@hub/contract';
import type { Clock, Log, PushTransport, Random } from '../ports.ts';
import type { PushSubscriptionRecord } from '../store/notification-store.ts';
import { encryptPush } from './encrypt-push.ts';
import { drawKeyPair, type PushSigner } from './push-identity.ts';

/** Beyond it one is dropped, the oldest of the user with most: what is told much later is no notice any more. */
const MAX_WAITING = 1_000;
const MAX_IN_FLIGHT = 8;
/** A push service, or a host that pretends to be one, may keep each of its requests waiting until they time out. */
const MAX_IN_FLIGHT_PER_ORIGIN = 2;
/** The same for the browsers of one user, each of which may name another host. */
const MAX_IN_FLIGHT_PER_USER = 2;
/** A push service keeps it so long for a browser that is away. */
const KEPT_SECONDS = 24 * 60 * 60;
/** After a failure that may pass. There is one more try. */
const AGAIN_MS = 30_000;
const MAX_RETRY_MS = 5 * 60_000;

/** Sums since the start, for the metrics. */
export interface PushSums {
  sent: number;
  failed: number;
  dropped: number;
  gone: number;
}

export interface PushJob {
  subscription: PushSubscriptionRecord;
  notification: HubNotification;
  /** Asked right before it is sent: whether it may still go there. */
  isDue: () => Promise<boolean>;
  isSecondTry?: boolean;
}

interface PushQueueDeps {
  clock: Clock;
  random: Random;
  log: Log;
  transport: PushTransport;
  signer: PushSigner;
  /** The push service knows this browser no more. */
  onGone: (subscription: PushSubscriptionRecord) => Promise<void>;
}

/** A job on its way, with what decides whether it may be sent now. */
interface Waiting extends PushJob {
  origin: string;
  /** On the monotonic clock; 0 for a first try. */
  notBefore: number;
}

/** Sends notices to push services, a few at a time and one user after the other; no request waits for it. */
export class PushQueue {
  readonly #deps: PushQueueDeps;
  /** By user, oldest first, retries included. The user whose turn is next comes first. */
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #inFlight = new Set<Waiting>();
  readonly sums: PushSums = { sent: 0, failed: 0, dropped: 0, gone: 0 };
  #isStopped = false;

  constructor(deps: PushQueueDeps) {
    this.#deps = deps;
  }

  /** Jobs in flight or due; retries that are not due yet are left out. */
  get waiting(): number {
    const now = this.#deps.clock.monotonic();
    return this.#inFlight.size + this.#jobs().filter(({ notBefore }) => notBefore <= now).length;
  }

  add(job: PushJob): void {
    this.#enqueue({ ...job, origin: new URL(job.subscription.endpoint).origin, notBefore: 0 });
  }

  /** What waits is not sent any more. */
  stop(): void {
    this.#isStopped = true;
    this.#waiting.clear();
  }

  #jobs(): Waiting[] {
    return [...this.#waiting.values()].flat();
  }

  #enqueue(job: Waiting): void {
    if (this.#isStopped) return;
    const { personId } = job.subscription;
    const own = this.#waiting.get(personId) ?? [];
    this.#waiting.set(personId, own);
    own.push(job);
    if (this.#jobs().length > MAX_WAITING) this.#dropOne();
    this.#startAllThatMay();
  }

  #dropOne(): void {
    const [[personId, jobs] = ['', []]] = [...this.#waiting].sort(([, a], [, b]) => b.length - a.length);
    jobs.shift();
    if (jobs.length === 0) this.#waiting.delete(personId);
    this.sums.dropped += 1;
  }

  #startAllThatMay(): void {
    while (this.#inFlight.size < MAX_IN_FLIGHT) {
      const job = this.#takeNext();
      if (!job) return;
      void this.#run(job);
    }
  }

  /** The first job that may be sent, and its user goes to the end of the round. */
  #takeNext(): Waiting | null {
    const now = this.#deps.clock.monotonic();
    for (const [personId, jobs] of this.#waiting) {
      const index = jobs.findIndex((job) => job.notBefore <= now && this.#hasSlot(job));
      const [job] = index === -1 ? [] : jobs.splice(index, 1);
      if (!job) continue;
      this.#waiting.delete(personId);
      if (jobs.length > 0) this.#waiting.set(personId, jobs);
      return job;
    }
    return null;
  }

  /** One user never holds both slots of an origin: with a service that many use, one that hangs for a user hangs for no other. */
  #hasSlot({ origin, subscription: { personId } }: Waiting): boolean {
    const ofOrigin = [...this.#inFlight].filter((job) => job.origin === origin);
    const ofUser = [...this.#inFlight].filter((job) => job.subscription.personId === personId);
    return (
      ofOrigin.length < MAX_IN_FLIGHT_PER_ORIGIN &&
      ofUser.length < MAX_IN_FLIGHT_PER_USER &&
      !ofUser.some((job) => job.origin === origin)
    );
  }

  async #run(job: Waiting): Promise<void> {
    this.#inFlight.add(job);
    try {
      if (await job.isDue()) await this.#send(job);
    } catch (err) {
      this.#failed(job, { err, service: new URL(job.subscription.endpoint).host }, null);
    }
    this.#inFlight.delete(job);
    this.#startAllThatMay();
  }

  async #send(job: Waiting): Promise<void> {
    const { subscription, notification } = job;
    const { transport } = this.#deps;
    const { status, retryAfter } = await transport.post({
      endpoint: subscription.endpoint,
      headers: this.#headers(subscription, notification),
      body: this.#body(subscription, notification),
    });
    const service = new URL(subscription.endpoint).host;
    if (status >= 200 && status < 300) {
      this.sums.sent += 1;
    } else if (status === 404 || status === 410) {
      this.sums.gone += 1;
      this.#deps.log.info({ service, sessionId: subscription.sessionId }, 'A browser takes no more notices');
      await this.#deps.onGone(subscription);
    } else {
      const mayPass = status === 429 || status >= 500;
      this.#failed(mayPass ? job : { ...job, isSecondTry: true }, { service, status }, retryAfter);
    }
  }

  /** RFC 8030, section 5: how long it is kept, how urgent it is, and what it takes the place of. */
  #headers({ endpoint }: PushSubscriptionRecord, { kind, tag }: HubNotification): Record<string, string> {
    return {
      authorization: this.#deps.signer.authorization(endpoint, this.#deps.clock.now()),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(KEPT_SECONDS),
      urgency: kind === 'post' || kind === 'several' ? 'normal' : 'high',
      topic: hash('sha256', tag, 'base64url').slice(0, 32),
    };
  }

  #body(subscription: PushSubscriptionRecord, notification: HubNotification): Uint8Array<ArrayBuffer> {
    const { random } = this.#deps;
    const { privateKey } = drawKeyPair(random);
    return new Uint8Array(
      encryptPush(JSON.stringify(notification), subscription, { privateKey, salt: random.bytes(16) }),
    );
  }

  #failed(job: Waiting, fields: object, retryAfter: string | null): void {
    if (job.isSecondTry) {
      this.sums.failed += 1;
      this.#deps.log.warn(fields, 'A notice could not be pushed');
      return;
    }
    void this.#again(job, retryAfter);
  }

  async #again(job: Waiting, retryAfter: string | null): Promise<void> {
    const asked = Number(retryAfter) * 1_000;
    const ms = Math.min(MAX_RETRY_MS, Math.max(AGAIN_MS, Number.isFinite(asked) ? asked : 0));
    this.#enqueue({ ...job, isSecondTry: true, notBefore: this.#deps.clock.monotonic() + ms });
    await this.#deps.clock.sleep(ms);
    this.#startAllThatMay();
  }
}
