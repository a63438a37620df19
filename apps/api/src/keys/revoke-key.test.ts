import { describe, expect, test } from 'bun:test';
import { letSlowedPass } from '../testing/let-slowed-pass.ts';
import { post, startTestHub } from '../testing/start-test-hub.ts';

async function setUp() {
  const hub = await startTestHub();
  const { id: hubId } = await hub.admin.createHub();
  const { key, id } = await hub.admin.issueKey({ hubId });
  return { hub, key, id, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

describe('revocation', () => {
  test('ends a key at once', async () => {
    await using t = await setUp();
    expect((await post(t.hub, 'messages', t.key, { text: 'x' })).status).toBe(201);
    expect(await t.hub.admin.revokeKey(t.id)).toMatchObject({
      state: 'revoked',
      revokedAt: '2026-03-01T09:30:00.000Z',
    });
    expect((await post(t.hub, 'messages', t.key, { text: 'x' })).status).toBe(401);
  });

  test('with many requests in flight: none that begins after its answer is accepted', async () => {
    await using t = await setUp();
    for (let round = 0; round < 8; round += 1) {
      const { key, id } = await t.hub.admin.issueKey({ hubId: (await t.hub.admin.showKey(t.id)).hubId });
      let isAnswered = false;
      const send = async () => {
        const beganAfter = isAnswered;
        return { beganAfter, status: (await post(t.hub, 'messages', key, { text: 'x' })).status };
      };
      const early = Array.from({ length: 25 }, send);
      const revoked = t.hub.admin.revokeKey(id).then(() => {
        isAnswered = true;
      });
      const meanwhile = Array.from({ length: 25 }, send);
      await revoked;
      const late = Array.from({ length: 8 }, send);
      const answers = await letSlowedPass(t.hub.clock, Promise.all([...early, ...meanwhile, ...late]));
      const [before, after] = [answers.slice(0, -8), answers.slice(-8)];
      expect(after.every(({ beganAfter, status }) => beganAfter && status === 401)).toBe(true);
      // Each of the others was accepted or refused whole: what was accepted is there.
      expect(new Set(before.map(({ status }) => status)).difference(new Set([201, 401])).size).toBe(0);
      expect(await t.hub.admin.showKey(id)).toMatchObject({
        postCount: before.filter(({ status }) => status === 201).length,
      });
    }
  });

  test('of a revoked key changes nothing and is no error', async () => {
    await using t = await setUp();
    await t.hub.admin.revokeKey(t.id);
    t.hub.clock.advance(60_000);
    expect(await t.hub.admin.revokeKey(t.id)).toMatchObject({ revokedAt: '2026-03-01T09:30:00.000Z' });
  });

  test('of an unknown key is 404', async () => {
    await using t = await setUp();
    expect((await t.hub.admin.raw('POST', '/keys/key_unknown/revocation')).status).toBe(404);
  });

  test('survives a restart', async () => {
    await using t = await setUp();
    await t.hub.admin.revokeKey(t.id);
    await t.hub.stop();
    await using again = await startTestHub({ clock: t.hub.clock, dataDir: t.hub.dataDir });
    expect((await post(again, 'messages', t.key, { text: 'x' })).status).toBe(401);
  });
});
