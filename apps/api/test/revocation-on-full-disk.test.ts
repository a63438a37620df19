import { expect, test } from 'bun:test';
import type { PersonalToken, Session } from '@hub/contract';
import { outcomeOf } from '@hub/testkit/admin';
import { liveClient } from '@hub/testkit/in-process/live-client';
import { shared } from '@hub/testkit/in-process/shared';
import { startAfterKill, startTestHub } from '@hub/testkit/in-process/test-hub';
import { createUser, signIn, tokenOf } from '@hub/testkit/in-process/users';
import { StoreUnavailable } from '../src/platform/errors.ts';
import { failInTransactions } from './store/writes.ts';

const hub = shared(startTestHub);

test('on a full disk, revoking a token, ending another session and signing out take effect immediately, and are saved with their audit entries once the disk works again', async () => {
  const ada = await createUser(hub);
  const token = await tokenOf(hub, ada);
  const [browser, other] = [await signIn(hub, ada), await signIn(hub, ada)];
  using view = await liveClient(hub, token.headers);
  const ids = async (path: string) =>
    (await browser.json<{ items: (Session | PersonalToken)[] }>('GET', path)).body.items.map(({ id }) => id);
  const ended = async (action: string) =>
    (await hub.admin.audit(`?action=${action}`)).items.map(({ targetId }) => targetId);
  const [[tokenId = ''], sessions] = [await ids('/me/tokens'), await ids('/me/sessions')];
  const { store } = hub.deps;
  const ends = (['sessions', 'tokens'] as const).map((noun) => failInTransactions(store, noun, 'delete'));
  for (let n = 0; n < 2; n += 1) {
    expect(await browser.outcome('DELETE', `/me/tokens/${tokenId}`)).toStartWith(
      '503 The access token was revoked and no longer works. But the server cannot use its database',
    );
  }
  expect((await token.json('GET', '/me')).status).toBe(401);
  expect((await view.closed).code).toBe(4401);
  expect(await ids('/me/tokens')).toEqual([]);
  const end = await browser.json('DELETE', `/me/sessions/${sessions[0]}`);
  expect(outcomeOf(end)).toStartWith('503 The session has ended');
  expect((await other.json('GET', '/me')).status).toBe(401);
  expect(await ids('/me/sessions')).toEqual(sessions.slice(1));
  expect(await browser.outcome('DELETE', '/session')).toStartWith('503 The session has ended');
  expect((await browser.json('GET', '/me')).status).toBe(401);
  expect([await ended('token.revoked'), await ended('session.ended')]).toEqual([[], []]);
  await expect(hub.flushKeys()).rejects.toBeInstanceOf(StoreUnavailable);

  for (const freeSpace of ends.reverse()) freeSpace();
  await hub.flushKeys();
  expect(await ended('token.revoked')).toEqual([tokenId]);
  expect((await ended('session.ended')).sort()).toEqual(sessions.slice(0, 2).sort());
  await using again = await startAfterKill(hub);
  for (const { headers } of [token, other, browser]) {
    expect((await again.fetch('/api/v1/me', { headers })).status).toBe(401);
  }
});
