import { describe, expect, test } from 'bun:test';
import type { IssuedKey } from '@hub/contract';
import { post, startTestHub } from '@hub/testkit/in-process/test-hub';
import { memberOf } from '@hub/testkit/in-process/users';

const DAY_SECONDS = 86_400;

/** Sets up a workspace with a 90-day limit, and two older keys: one that never expires and one for 30 days. */
async function setUp() {
  const hub = await startTestHub();
  const { id: hubId } = await hub.admin.createHub();
  const unlimited = await hub.admin.issueKey({ hubId, name: 'unlimited' });
  const oneMonth = await hub.admin.issueKey({ hubId, name: 'month', lifetimeSeconds: 30 * DAY_SECONDS });
  const allow = (days: unknown) => hub.admin.raw('PATCH', '/workspace', { longestKeyLifetimeDays: days });
  expect((await allow(90)).status).toBe(200);
  const outcome = async (path: string, body: object = {}) => {
    const response = await hub.admin.raw('POST', path, body);
    const { message, expiresAt } = (await response.json()) as { message?: string; expiresAt?: string | null };
    return `${response.status} ${message ?? expiresAt}`;
  };
  const issue = (expiry: object) => outcome('/keys', { hubId, name: 'ci', scopes: ['messages:create'], ...expiry });
  const dispose = () => hub[Symbol.asyncDispose]();
  return { hub, hubId, unlimited, oneMonth, allow, outcome, issue, [Symbol.asyncDispose]: dispose };
}

const ERROR =
  'but keys in this workspace can last at most 90 days: set expiresAt to 2026-05-30T09:30:00.000Z or earlier, or lifetimeSeconds to 90 days or less.';

describe('the maximum key lifetime of a workspace', () => {
  test('limits the lifetime of new keys to the exact second', async () => {
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
    'applies to a %s, even if the lifetime comes from the predecessor',
    async (verb) => {
      await using t = await setUp();
      const at = `/keys/${t.unlimited.id}/${verb}`;
      expect(await t.outcome(at)).toBe(`400 This key would never expire, ${ERROR}`);
      expect(await t.outcome(at, { lifetimeSeconds: 365 * DAY_SECONDS })).toStartWith('400 This key would work until');
      expect((await t.hub.admin.showKey(t.unlimited.id)).state).toBe('active');
      expect(await t.outcome(at, { lifetimeSeconds: DAY_SECONDS })).toBe('201 2026-03-02T09:30:00.000Z');
      expect(await t.outcome(`/keys/${t.oneMonth.id}/${verb}`)).toBe('201 2026-03-31T09:30:00.000Z');
    },
  );

  test('does not change existing keys, and no longer applies once it is removed', async () => {
    await using t = await setUp();
    expect((await post(t.hub, 'messages', t.unlimited.key, { text: 'x' })).status).toBe(201);
    expect((await t.hub.admin.showKey(t.unlimited.id)).expiresAt).toBeNull();
    expect((await t.allow(null)).status).toBe(200);
    expect(await t.issue({})).toBe('201 null');
  });

  test('is checked after permissions: a member of another Hub does not see it', async () => {
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
    expect(await t.issue({})).toContain('can last at most one day');
  });
});
