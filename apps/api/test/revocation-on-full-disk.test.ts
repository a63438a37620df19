import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { PersonalToken, Session } from '@hub/contract';
import { liveClient } from '@hub/testkit/in-process/live-client';
import { startAfterKill, startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { createUser, outcomeOf, signIn, type TestUser, tokenOf, type UserCaller } from '@hub/testkit/in-process/users';
import { failInTransactions } from '@hub/testkit/storage/store-writes';
import { StoreUnavailable } from '../src/platform/errors.ts';
import { flushKeys } from '../src/programs/flush-keys.ts';

let hub: TestHub;
let ada: TestUser;
let browser: UserCaller;
beforeEach(async () => {
  hub = await startTestHub();
  ada = await createUser(hub);
  browser = await signIn(hub, ada);
});
afterEach(() => hub[Symbol.asyncDispose]());

/** Makes the store fail as if the disk were full; `restore` frees space. */
function fillDisk({ deps: { store } }: TestHub) {
  const full = () => new StoreUnavailable(new Error('disk full'));
  const ends = (['sessions', 'tokens'] as const).map((noun) => failInTransactions(store, noun, 'delete', full));
  return {
    restore: () => {
      for (const end of ends.reverse()) end();
    },
  };
}
const ids = async (path: string) =>
  (await browser.json<{ items: (Session | PersonalToken)[] }>('GET', path)).body.items.map(({ id }) => id);
const ended = async (action: string) =>
  (await hub.admin.audit(`?action=${action}`)).items.map(({ targetId }) => targetId);

describe('on a full disk', () => {
  test('revoking a token takes effect immediately, closes its live view, and is saved with its audit entry once the disk works again', async () => {
    const token = await tokenOf(hub, ada);
    using view = await liveClient(hub, token.headers);
    const [id = ''] = await ids('/me/tokens');
    const disk = fillDisk(hub);
    for (let n = 0; n < 2; n += 1) {
      expect(outcomeOf(await browser.json('DELETE', `/me/tokens/${id}`))).toStartWith(
        '503 The access token was revoked and no longer works. But the server cannot use its database',
      );
    }
    expect((await token.json('GET', '/me')).status).toBe(401);
    expect((await view.closed).code).toBe(4401);
    expect(await ids('/me/tokens')).toEqual([]);
    expect(await ended('token.revoked')).toEqual([]);
    await expect(flushKeys(hub.deps)).rejects.toBeInstanceOf(StoreUnavailable);

    disk.restore();
    await flushKeys(hub.deps);
    expect(await ended('token.revoked')).toEqual([id]);
    await using again = await startAfterKill(hub);
    expect((await again.fetch('/api/v1/me', { headers: token.headers })).status).toBe(401);
  });

  test('ending another session and signing out take effect immediately, and are saved once the disk works again', async () => {
    const other = await signIn(hub, ada);
    const sessions = await ids('/me/sessions');
    const disk = fillDisk(hub);
    expect(outcomeOf(await browser.json('DELETE', `/me/sessions/${sessions[0]}`))).toStartWith(
      '503 The session has ended',
    );
    expect((await other.json('GET', '/me')).status).toBe(401);
    expect(await ids('/me/sessions')).toEqual(sessions.slice(1));
    expect(outcomeOf(await browser.json('DELETE', '/session'))).toStartWith('503 The session has ended');
    expect((await browser.json('GET', '/me')).status).toBe(401);

    disk.restore();
    await flushKeys(hub.deps);
    expect((await ended('session.ended')).sort()).toEqual(sessions.sort());
  });
});
