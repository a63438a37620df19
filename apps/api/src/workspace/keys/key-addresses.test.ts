import { describe, expect, test } from 'bun:test';
import type { ApiKey, KeyAddresses } from '@hub/contract';
import { post, startAfterKill, startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { memberOf, signedIn } from '@hub/testkit/in-process/users';
import { flushKeys } from '../../programs/flush-keys.ts';
import { addAddress } from './key-usage.ts';

async function setUp() {
  const hub = await startTestHub();
  const { id: hubId } = await hub.admin.createHub();
  const { key, id } = await hub.admin.issueKey({ hubId });
  const sendFrom = async (address: string, kind: 'messages' | 'notes' = 'messages') => {
    hub.setClientAddress(address);
    await post(hub, kind, key, kind === 'notes' ? { content: 'x' } : { text: 'x' });
  };
  return { hub, hubId, key, id, sendFrom, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

async function addresses(hub: Pick<TestHub, 'admin'>, id: string): Promise<[string, number][]> {
  const response = await hub.admin.raw('GET', `/keys/${id}/addresses`);
  expect(response.status).toBe(200);
  return ((await response.json()) as KeyAddresses).items.map(({ address, requests }) => [address, requests]);
}

describe('the addresses of a key', () => {
  test('are shown immediately, latest first, and survive a kill once saved', async () => {
    await using t = await setUp();
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.1']) await t.sendFrom(address);
    const expected: [string, number][] = [
      ['192.0.2.1', 2],
      ['192.0.2.2', 1],
    ];
    expect(await addresses(t.hub, t.id)).toEqual(expected);
    await flushKeys(t.hub.deps);
    expect(await addresses(t.hub, t.id)).toEqual(expected);
    t.hub.clock.advance(1_000);
    await t.sendFrom('192.0.2.2');
    await flushKeys(t.hub.deps);
    await using killed = await startAfterKill(t.hub);
    expect(await addresses(killed, t.id)).toEqual([
      ['192.0.2.2', 2],
      ['192.0.2.1', 2],
    ]);
  });

  test('are limited to the last twenty', async () => {
    await using t = await setUp();
    for (let n = 0; n < 25; n += 1) {
      t.hub.clock.advance(2_000);
      await t.sendFrom(`192.0.2.${n}`);
      if (n % 4 === 0) await flushKeys(t.hub.deps);
    }
    await flushKeys(t.hub.deps);
    const shown = await addresses(t.hub, t.id);
    expect(shown).toHaveLength(20);
    expect(shown.at(0)).toEqual(['192.0.2.24', 1]);
    expect(shown.at(-1)).toEqual(['192.0.2.5', 1]);
  });

  test('are visible only to those who manage the key', async () => {
    await using t = await setUp();
    const [member, stranger] = [await memberOf(t.hub, t.hubId), await signedIn(t.hub)];
    expect((await member.json('GET', `/keys/${t.id}/addresses`)).status).toBe(200);
    expect((await stranger.json('GET', `/keys/${t.id}/addresses`)).status).toBe(404);
    expect((await t.hub.fetch(`/api/v1/keys/${t.id}/addresses`)).status).toBe(401);
    const unknown = await member.json('GET', `/keys/${t.id}/addresses?days=1`);
    expect([unknown.status, unknown.body.message]).toEqual([
      400,
      'days is not a known parameter: this endpoint takes no query parameters',
    ]);
    await t.hub.admin.raw('PATCH', '/workspace', { membersManageKeys: false });
    expect((await member.json('GET', `/keys/${t.id}/addresses`)).status).toBe(403);
  });

  test('are listed once each, however often they are used', () => {
    const use = (address: string, lastUsedAt: number) => ({ address, lastUsedAt, requests: 1 });
    const known = [use('a', 1), use('b', 2), use('b', 3), use('a', 4)].reduce(addAddress, []);
    expect(known).toEqual([
      { address: 'a', lastUsedAt: 4, requests: 2 },
      { address: 'b', lastUsedAt: 3, requests: 2 },
    ]);
  });
});

describe('a key', () => {
  test('shows which of its scopes it has never used, even after a kill', async () => {
    await using t = await setUp();
    const unused = async (hub: Pick<TestHub, 'admin'>): Promise<ApiKey['unusedScopes']> =>
      (await hub.admin.showKey(t.id)).unusedScopes;
    expect(await unused(t.hub)).toEqual(['messages:create', 'notes:create', 'todos:create']);
    await t.sendFrom('192.0.2.1');
    expect(await unused(t.hub)).toEqual(['notes:create', 'todos:create']);
    await using killed = await startAfterKill(t.hub);
    expect(await unused(killed)).toEqual(['notes:create', 'todos:create']);
    await flushKeys(killed.deps);
    await post(killed, 'notes', t.key, { content: 'x' });
    await flushKeys(killed.deps);
    await using again = await startAfterKill(killed);
    expect(await unused(again)).toEqual(['todos:create']);
  });

  test('shows on which days it was blocked', async () => {
    await using t = await setUp();
    for (let n = 0; n < 61; n += 1) await t.sendFrom('192.0.2.1');
    const page = await t.hub.admin.listKeys('?usageDays=2');
    expect(page.items[0]?.usage?.map(({ blocks }) => blocks)).toEqual([0, 1]);
  });

  test('can be looked up in the audit log', async () => {
    await using t = await setUp();
    await t.hub.admin.issueKey({ hubId: t.hubId });
    await t.hub.admin.revokeKey(t.id);
    const { items } = await t.hub.admin.audit(`?hubId=${t.hubId}&targetId=${t.id}`);
    expect(items.map(({ action }) => action)).toEqual(['key.revoked', 'key.issued']);
  });
});
