import { hash } from 'node:crypto';
import type { Notice } from '@hub/contract';
import type { Clock, Log, PushTransport, Random } from '../ports.ts';
import type { PushSubscriptionRecord } from '../store/notice-store.ts';
import { encryptPush } from './encrypt-push.ts';
import { drawKeyPair, type PushSigner } from './push-identity.ts';

/** Beyond it the oldest are dropped: what is told much later is no notice any more. */
const MOST_WAITING = 1_000;
const AT_ONCE = 8;
/** A push service keeps it so long for a browser that is away. */
const KEPT_SECONDS = 24 * 60 * 60;
/** After a failure that may pass. There is one more try. */
const AGAIN_MS = 30_000;
const MOST_AGAIN_MS = 5 * 60_000;

/** Sums since the start, for the metrics. */
export interface PushSums {
  sent: number;
  failed: number;
  dropped: number;
  gone: number;
}

export interface PushJob {
  subscription: PushSubscriptionRecord;
  notice: Notice;
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

/** Sends notices to push services, a few at a time; nobody waits for it. */
export class PushQueue {
  readonly #deps: PushQueueDeps;
  readonly #waiting: PushJob[] = [];
  readonly sums: PushSums = { sent: 0, failed: 0, dropped: 0, gone: 0 };
  #busy = 0;
  #isStopped = false;

  constructor(deps: PushQueueDeps) {
    this.#deps = deps;
  }

  get waiting(): number {
    return this.#waiting.length + this.#busy;
  }

  add(job: PushJob): void {
    if (this.#isStopped) return;
    this.#waiting.push(job);
    if (this.#waiting.length > MOST_WAITING) {
      this.#waiting.shift();
      this.sums.dropped += 1;
    }
    if (this.#busy < AT_ONCE) void this.#work();
  }

  /** What waits is not sent any more. */
  stop(): void {
    this.#isStopped = true;
    this.#waiting.length = 0;
  }

  async #work(): Promise<void> {
    this.#busy += 1;
    for (let job = this.#waiting.shift(); job; job = this.#waiting.shift()) {
      try {
        if (await job.isDue()) await this.#send(job);
      } catch (err) {
        this.#failed(job, { err, service: new URL(job.subscription.endpoint).host }, null);
      }
    }
    this.#busy -= 1;
  }

  async #send(job: PushJob): Promise<void> {
    const { subscription, notice } = job;
    const { transport } = this.#deps;
    const { status, retryAfter } = await transport.post({
      endpoint: subscription.endpoint,
      headers: this.#headers(subscription, notice),
      body: this.#body(subscription, notice),
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
  #headers({ endpoint }: PushSubscriptionRecord, { kind, tag }: Notice): Record<string, string> {
    return {
      authorization: this.#deps.signer.authorization(endpoint, this.#deps.clock.now()),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(KEPT_SECONDS),
      urgency: kind === 'post' || kind === 'several' ? 'normal' : 'high',
      topic: hash('sha256', tag, 'base64url').slice(0, 32),
    };
  }

  #body(subscription: PushSubscriptionRecord, notice: Notice): Uint8Array<ArrayBuffer> {
    const { random } = this.#deps;
    const { privateKey } = drawKeyPair(random);
    return new Uint8Array(encryptPush(JSON.stringify(notice), subscription, { privateKey, salt: random.bytes(16) }));
  }

  #failed(job: PushJob, fields: object, retryAfter: string | null): void {
    if (job.isSecondTry) {
      this.sums.failed += 1;
      this.#deps.log.warn(fields, 'A notice could not be pushed');
      return;
    }
    void this.#again(job, retryAfter);
  }

  async #again(job: PushJob, retryAfter: string | null): Promise<void> {
    const asked = Number(retryAfter) * 1_000;
    await this.#deps.clock.sleep(Math.min(MOST_AGAIN_MS, Math.max(AGAIN_MS, Number.isFinite(asked) ? asked : 0)));
    this.add({ ...job, isSecondTry: true });
  }
}
