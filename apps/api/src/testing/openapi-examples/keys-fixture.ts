import type { IssuedKey } from '@hub/contract';
import { isoTime } from '../../time.ts';
import { post, type TestHub } from '../start-test-hub.ts';
import type { Team } from './users-fixture.ts';

/** A message in the scenario that was posted with an API key. */
export interface Posted {
  readonly messageId: string;
}

const MINUTE_MS = 60_000;

export async function recordKeys(hub: TestHub, { ada, hubId }: Team): Promise<Posted> {
  const issued = await ada<IssuedKey>('issueKey', {
    body: {
      hubId,
      name: 'canary-watch',
      scopes: ['messages:create', 'todos:create'],
      expiresAt: '2027-03-01T00:00:00Z',
    },
  });
  const path = { keyId: issued.id };
  const messageId = await postedWith(hub, issued.key, '**Deploy finished** in 42 s');
  await ada('showKey', { path });

  const from = isoTime(hub.clock.now() + MINUTE_MS);
  for (let times = 1; times <= 3; times += 1) await postedWith(hub, issued.key, 'The canary does not respond');
  const { id: removalId } = await recordRemoval({ ada, path, from });
  await ada('undoRemoval', { path: { ...path, removalId } });
  await ada('listRemovals', { path });

  await recordSuccession({ ada, path });
  await ada('listKeys', { query: { hubId, state: 'rotated', usageDays: 2 } });
  await ada('showKeyUsage', { path, query: { days: 3 } });
  await ada('showKeyAddresses', { path });
  return { messageId };
}

type OfKey = Pick<Team, 'ada'> & { path: { keyId: string } };

async function recordRemoval({ ada, path, from }: OfKey & { from: string }): Promise<{ id: string }> {
  await ada('removePosts', {
    path,
    body: { from, isPreview: true },
    name: 'preview',
    summary: 'Preview',
  });
  return ada('removePosts', { path, body: { from }, name: 'range', summary: 'All posts since a time' });
}

async function recordSuccession({ ada, path }: OfKey): Promise<void> {
  const rotated = await ada('rotateKey', { path, body: { lifetimeSeconds: 7_776_000 } });
  const replaced = await ada('replaceKey', { path: { keyId: rotated.id }, body: { lifetimeSeconds: 7_776_000 } });
  await ada('revokeKey', { path: { keyId: replaced.id } });
}

async function postedWith(hub: TestHub, key: string, text: string): Promise<string> {
  hub.clock.advance(MINUTE_MS);
  const response = await post(hub, 'messages', key, { text });
  const { data } = (await response.json()) as { data: { id: string } };
  return data.id;
}
