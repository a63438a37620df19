import type { IssuedKey } from '../../../packages/contract/src/index.ts';
import type { Admin } from '../admin.ts';
import { postRequest } from '../connection.ts';
import { addressOf, ask, type Subject } from './under-load.ts';

/** A key that an admin revokes, and how its posts are counted. */
export interface KeyThatEnds extends Subject {
  readonly keyId: string;
}

const HUBS = 10;
const WAYS = ['revoked', 'replaced', 'its Hub is deleted'] as const;

/**
 * Returns keys that cycle through all the ways of being revoked. `port` is called when a key is replaced, since the new
 * key is used immediately.
 */
export async function keysThatEnd(admin: Admin, count: number, port: () => number): Promise<KeyThatEnds[]> {
  const hubs = await Promise.all(Array.from({ length: HUBS }, (_, n) => admin.createHub(`Hub ${n}`)));
  return Promise.all(
    Array.from({ length: count }, async (_, n): Promise<KeyThatEnds> => {
      const way = WAYS[n % WAYS.length] ?? 'revoked';
      const name = `key ${n}, ${way}`;
      const address = addressOf(n);
      const hub = way === 'its Hub is deleted' ? await admin.createHub(name) : hubs[n % HUBS];
      const { id: keyId, key } = await admin.issueKey(hub?.id ?? '', name);
      const end = async (): Promise<void> => {
        if (way === 'revoked') await admin.call('POST', `/keys/${keyId}/revocation`);
        else if (way === 'its Hub is deleted') await admin.call('DELETE', `/hubs/${hub?.id}`);
        else await replace(admin, keyId, (request) => ask(port(), { address, request }));
      };
      const rejected = way === 'its Hub is deleted' ? 404 : 401;
      return { name, address, keyId, request: postRequest('messages', key, 'Hello'), end, rejected };
    }),
  );
}

async function replace(admin: Admin, keyId: string, post: (request: string) => Promise<number>): Promise<void> {
  const successor = await admin.call<IssuedKey>('POST', `/keys/${keyId}/replacement`, {});
  // Not awaited, since the point is that the old key is rejected from now on.
  void post(postRequest('messages', successor.key, 'Hello')).then((status) => {
    if (status !== 201) throw new Error(`The successor of ${keyId} returned ${status}`);
  });
}
