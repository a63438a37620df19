import { describe, expect, test } from 'bun:test';
import type { IssuedKey } from '@hub/contract';
import { post, startTestHub } from '../testing/start-test-hub.ts';
import { memberOf } from '../testing/users.ts';

const DAY_SECONDS = 86_400;

/** A workspace that allows keys for 90 days, with two keys from before it did: one for ever, one for 30 days. */
async function setUp() {
  const hub = await startTestHub();
  const { id: hubId } = await hub.admin.createHub();
  const forEver = await hub.admin.issueKey({ hubId, name: 'for-ever' });
  const forAMonth = await hub.admin.issueKey({ hubId, name: 'month', lifetimeSeconds: 30 * DAY_SECONDS });
  const allow = (days: unknown) => hub.admin.raw('PATCH', '/workspace', { longestKeyLifetimeDays: days });
  expect((await allow(90)).status).toBe(200);
  const outcome = async (path: string, body: object = {}) => {
    const response = await hub.admin.raw('POST', path, body);
    const { message, expiresAt } = (await response.json()) as { message?: string; expiresAt?: string | null };
    return `${response.status} ${message ?? expiresAt}`;
  };
  const issue = (expiry: object) => outcome('/keys', { hubId, name: 'ci', scopes: ['messages:create'], ...expiry });
  const dispose = () => hub[Symbol.asyncDispose]();
  return { hub, hubId, forEver, forAMonth, allow, outcome, issue, [Symbol.asyncDispose]: dispose };
}

const ERROR =
  'and keys of this workspace last 90 days at most: give expiresAt no later than 2026-05-30T09:30:00.000Z, or lifetimeSeconds for 90 days or less.';

describe('the longest lifetime that a workspace allows', () => {
  test('is the end of what can be issued, to the second', async () => {
    await using t = await setUp();
    expect(await t.issue({})).toBe(`400 This key would never expire, ${ERROR}`);
    expect(await t.issue({ lifetimeSeconds: 90 * DAY_SECONDS + 1 })).toBe(
      `400 This key would work until 2026-05-30T09:30:01.000Z, ${ERROR}`,
    );
    expect(await t.issue({ expiresAt: '2026-05-30T09:30:00.001Z' })).toStartWith('400 This key would work until');
    expect(await t.issue({ lifetimeSeconds: 90 * DAY_SECONDS })).toBe('201 2026-05-30T09:30:00.000Z');
    expect(await t.issue({ expiresAt: '2026-05-30T09:30:00Z' })).toBe('201 2026-05-30T09:30:00.000Z');
  });

  test.each(['rotation', 'replacement'])(
    'holds for a %s, also where the lifetime comes from the key before',
    async (verb) => {
      await using t = await setUp();
      const at = `/keys/${t.forEver.id}/${verb}`;
      expect(await t.outcome(at)).toBe(`400 This key would never expire, ${ERROR}`);
      expect(await t.outcome(at, { lifetimeSeconds: 365 * DAY_SECONDS })).toStartWith('400 This key would work until');
      expect((await t.hub.admin.showKey(t.forEver.id)).state).toBe('active');
      expect(await t.outcome(at, { lifetimeSeconds: DAY_SECONDS })).toBe('201 2026-03-02T09:30:00.000Z');
      expect(await t.outcome(`/keys/${t.forAMonth.id}/${verb}`)).toBe('201 2026-03-31T09:30:00.000Z');
    },
  );

  test('leaves the keys that there are as they are, and ends when it is taken away', async () => {
    await using t = await setUp();
    expect((await post(t.hub, 'messages', t.forEver.key, { text: 'x' })).status).toBe(201);
    expect((await t.hub.admin.showKey(t.forEver.id)).expiresAt).toBeNull();
    expect((await t.allow(null)).status).toBe(200);
    expect(await t.issue({})).toBe('201 null');
  });

  test('is judged after who may: a member of another Hub learns nothing of it', async () => {
    await using t = await setUp();
    const { id: otherId } = await t.hub.admin.createHub('Other');
    const otto = await memberOf(t.hub, otherId, { name: 'Otto' });
    const body = { hubId: t.hubId, name: 'ci', scopes: ['messages:create'] };
    expect((await otto.json<IssuedKey>('POST', '/keys', body)).status).toBe(404);
    expect((await otto.json('POST', '/keys', { ...body, hubId: otherId })).status).toBe(400);
  });

  test('is a whole number of days from 1 to 36500', async () => {
    await using t = await setUp();
    for (const days of [0, 36_501, 1.5, '90', true]) {
      const response = await t.allow(days);
      expect([days, response.status, await response.text()]).toEqual([
        days,
        400,
        expect.stringContaining('longestKeyLifetimeDays must be'),
      ]);
    }
    expect((await t.allow(1)).status).toBe(200);
    expect(await t.issue({})).toContain('last one day at most');
  });
});
