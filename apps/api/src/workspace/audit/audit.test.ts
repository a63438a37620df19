import { expect, test } from 'bun:test';
import { shared } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { signedIn } from '@hub/testkit/in-process/users';

const hub = shared(startTestHub);
const list = async (query: string) =>
  (await hub.admin.audit(`?${query}`)).items.map(({ action, targetName }) => `${action} ${targetName}`);
const errorOf = (query: string) => hub.admin.outcome('GET', `/audit?${query}`);

test('the audit log can be filtered by target, kind of actor and Hub, also a deleted one', async () => {
  const { id: hubId } = await hub.admin.createHub('Releases');
  const { id } = await hub.admin.issueKey({ hubId, name: 'canary-watch' });
  const other = await hub.admin.issueKey({ hubId, name: 'other' });
  const ada = await signedIn(hub, { role: 'admin', name: 'Ada' });
  await ada.json('POST', `/keys/${id}/revocation`);
  await hub.admin.deleteHub(hubId);
  const [issued, revoked] = ['key.issued canary-watch', 'key.revoked canary-watch'];
  for (const [query, entries] of [
    [`targetId=${id}`, [revoked, issued]],
    [`targetId=${other.id}`, ['key.issued other']],
    [`targetId=${id}&actorKind=user`, [revoked]],
    [`targetId=${id}&actorKind=local&hubId=${hubId}`, [issued]],
    [`targetId=${id}&actorKind=server`, []],
    [`hubId=${hubId}&limit=2`, [expect.stringMatching(/^hub.deleted/), revoked]],
  ] as const)
    expect([query, await list(query)]).toEqual([query, [...entries]]);
  expect(await errorOf('actorKind=robot')).toStartWith('400 actorKind must be one of');
  expect(await errorOf('hubId=hub_unknown')).toBe('404 There is no Hub hub_unknown.');
});

test('the audit log can be filtered by time: at or after `from`, before `to`', async () => {
  const times: string[] = [];
  for (const name of ['one', 'two', 'three']) {
    hub.clock.advance(60_000);
    times.push(new Date(hub.clock.now()).toISOString());
    await hub.admin.createHub(name);
  }
  const [one, two, three] = ['hub.created one', 'hub.created two', 'hub.created three'];
  for (const [query, entries] of [
    [`from=${times[1]}`, [three, two]],
    [`from=${times[0]}&to=${times[1]}`, [one]],
    [`from=${encodeURIComponent((times[1] ?? '').replace('Z', '+00:00'))}&limit=2`, [three, two]],
    ['from=2027-01-01T00:00Z', []],
    ['to=2026-03-01T09:30Z', []],
    ['from=1960-01-01T00:00Z&to=9999-12-31T23:59Z&limit=3', [three, two, one]],
  ] as const)
    expect([query, await list(`action=hub.created&${query}`)]).toEqual([query, [...entries]]);
  for (const wrong of ['from=yesterday', 'to=2026-03-01', 'from='])
    expect(await errorOf(wrong)).toMatch(/^400 (from|to) must be a valid date/);
});
