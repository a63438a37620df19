import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { NoticeSettings } from '@hub/contract';
import { createPerson, type PersonCaller, signIn } from '../testing/people.ts';
import { startTestHub, type TestHub } from '../testing/start-test-hub.ts';
import { type Team, teamOn } from '../testing/team.ts';

let hub: TestHub;
let team: Team;
beforeEach(async () => {
  hub = await startTestHub();
  team = await teamOn(hub, ['Ada Lovelace', 'Bob Kahn']);
});
afterEach(() => hub[Symbol.asyncDispose]());

const change = (caller: PersonCaller, path: string, body: object, method = 'PUT') =>
  caller.json<NoticeSettings>(method, `/me/notices${path}`, body);

describe('choices', () => {
  test('who has made none is told of what concerns him', async () => {
    expect((await team.ada.json<NoticeSettings>('GET', '/me/notices')).body).toMatchObject({
      mentions: true,
      assignments: true,
      replies: true,
      hubs: [],
      keys: [],
      quietHours: null,
    });
  });

  test('a Hub or a key that one does not read is as if there were none', async () => {
    const stranger = await signIn(hub, await createPerson(hub));
    for (const path of [`/hubs/${team.hubId}`, `/keys/${team.keyId}`]) {
      expect((await change(stranger, path, { mode: 'every' })).status).toBe(404);
    }
  });

  test('quiet hours in no time zone, or without a length, are refused', async () => {
    const hours = { fromMinute: 60, toMinute: 120, days: [1], timeZone: 'UTC' };
    for (const wrong of [{ timeZone: 'Mars/Olympus' }, { toMinute: 60 }, { days: [8] }, { fromMinute: 1_440 }]) {
      expect((await change(team.ada, '/quiet-hours', { ...hours, ...wrong })).status).toBe(400);
    }
    expect((await change(team.ada, '/quiet-hours', hours)).status).toBe(200);
    expect((await team.ada.json<NoticeSettings>('DELETE', '/me/notices/quiet-hours')).body.quietHours).toBeNull();
  });

  test('what one chose comes back', async () => {
    await change(team.ada, `/hubs/${team.hubId}`, { mode: 'muted' });
    const { body } = await change(team.ada, `/keys/${team.keyId}`, { mode: 'every' });
    expect(body.hubs).toEqual([{ hubId: team.hubId, mode: 'muted' }]);
    expect(body.keys).toEqual([{ keyId: team.keyId, hubId: team.hubId, name: 'ci', mode: 'every' }]);
  });
});
