import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import type { HubNotification } from '@hub/contract';
import { pushTransport } from '../../../../apps/api/src/for-tests.ts';
import { Changes } from '../concurrency.ts';
import type { UserCaller } from './users.ts';

/** Sends push requests to services on this machine. */
export const localPush = pushTransport({ isLocalAllowed: true });

interface Received {
  path: string;
  headers: Headers;
  notification: HubNotification;
}

/** Starts a push service, with browsers that receive its messages. */
export function startPushService() {
  const received: Received[] = [];
  const browsers = new Map<string, TestBrowser>();
  /** The responses that tests have set, by path. */
  const responses = new Map<string, () => Response>();
  const changes = new Changes();
  let requests = 0;
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      requests += 1;
      const path = new URL(request.url).pathname;
      const browser = browsers.get(path);
      const body = Buffer.from(await request.arrayBuffer());
      const response = responses.get(path)?.() ?? new Response(null, { status: browser ? 201 : 404 });
      if (browser && response.status === 201) {
        const notification = JSON.parse(browser.decrypt(body)) as HubNotification;
        received.push({ path, headers: request.headers, notification });
      }
      changes.happened();
      return response;
    },
  });
  const url = `http://127.0.0.1:${server.port}`;
  const browser = () => {
    const path = `/browser-${browsers.size + 1}`;
    const created = new TestBrowser(url + path);
    browsers.set(path, created);
    return created;
  };

  return {
    url,
    received,
    get requests() {
      return requests;
    },
    /** Returns a new browser with its own endpoint. */
    browser,
    /** Returns a new browser in which this user has turned on push notifications. */
    subscribedAs: async (caller: UserCaller) => {
      const subscribed = browser();
      const status = await subscribed.subscribe(caller);
      if (status !== 201) throw new Error(`Subscribing returned ${status}`);
      return subscribed;
    },
    /** Sets the response to further requests for this endpoint. */
    response: (endpoint: string, status: number, headers: Record<string, string> = {}, reason = '') =>
      void responses.set(new URL(endpoint).pathname, () => new Response(reason || null, { status, headers })),
    /** Resolves once a condition holds, for example that enough notifications have arrived. */
    until: (holds: () => boolean) => changes.until(holds),
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** The browser's side of a subscription. It decrypts according to RFC 8291 without using the server's code. */
class TestBrowser {
  readonly #keys = createECDH('prime256v1');
  readonly #auth = randomBytes(16);
  readonly endpoint: string;

  constructor(endpoint: string) {
    this.endpoint = endpoint;
    this.#keys.generateKeys();
  }

  /** The subscription as a page sends it to the server. */
  get subscription() {
    return {
      endpoint: this.endpoint,
      p256dh: this.#keys.getPublicKey('base64url'),
      auth: this.#auth.toString('base64url'),
    };
  }

  async subscribe(caller: UserCaller): Promise<number> {
    return (await caller.json('POST', '/me/push-subscriptions', this.subscription)).status;
  }

  decrypt(body: Buffer): string {
    const salt = body.subarray(0, 16);
    const keyLength = body[20] ?? 0;
    const sender = body.subarray(21, 21 + keyLength);
    const sealed = body.subarray(21 + keyLength);
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.#keys.getPublicKey(), sender]);
    const hkdf = (key: Uint8Array, salt: Uint8Array, info: Buffer | string, length: number) =>
      Buffer.from(hkdfSync('sha256', key, salt, info, length));
    const material = hkdf(this.#keys.computeSecret(sender), this.#auth, info, 32);
    const key = hkdf(material, salt, 'Content-Encoding: aes128gcm\0', 16);
    const nonce = hkdf(material, salt, 'Content-Encoding: nonce\0', 12);
    const decipher = createDecipheriv('aes-128-gcm', key, nonce);
    decipher.setAuthTag(sealed.subarray(-16));
    const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
    return plain.subarray(0, plain.lastIndexOf(2)).toString();
  }
}
