import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Removal } from '@hub/contract';
import { type HubctlOnHub, startHubctl } from '../../testing/hubctl-on-hub.ts';
import { errorOf } from '../../testing/run-hubctl.ts';

let on: HubctlOnHub;
beforeAll(async () => {
  on = await startHubctl();
});
afterAll(() => on.stop());

/** A key that has posted so often, a minute apart. */
async function flooding(name: string, posts: number) {
  const key = await on.issue(name);
  const times: string[] = [];
  for (let index = 0; index < posts; index += 1) {
    on.hub.clock.advance(60_000);
    times.push(new Date(on.hub.clock.now()).toISOString());
    const ran = await on.hubctl(['post', `${name} ${index}`], { env: { HUB_API_KEY: key.key } });
    if (ran.code !== 0) throw new Error(ran.stderr);
  }
  return { ...key, times };
}

const messages = async () =>
  (await (await on.hub.admin.raw('GET', `/hubs/${on.releases.id}/messages?limit=100`)).text()) as string;

describe('keys remove-posts', () => {
  test('removes what a key has posted, and --undo brings it back', async () => {
    const key = await flooding('flood', 3);
    const ran = await on.hubctl(['keys', 'remove-posts', 'flood', '--yes', '--json']);
    const removal = ran.json<Removal>();
    expect(ran.json()).toMatchObject({ id: expect.any(String), keyId: key.id, count: 3, undoneAt: null });
    expect(await messages()).not.toContain('flood');
    const undone = await on.hubctl(['keys', 'remove-posts', 'flood', '--undo', removal.id ?? '?']);
    expect(undone.stdout).toBe('The 3 posts of flood are back where they were.\n');
    expect(await messages()).toContain('flood 2');
    const list = (await on.hubctl(['keys', 'remove-posts', 'flood', '--list', '--json'])).json<{ items: Removal[] }>();
    expect(list.items).toMatchObject([{ id: removal.id, undoneAt: expect.any(String) }]);
    expect((await on.hubctl(['keys', 'remove-posts', 'flood', '--list'])).stdout).toContain(removal.id ?? '?');
  });

  test('takes a time range, of which the end is not part', async () => {
    const { times } = await flooding('ranged', 3);
    const range = ['--from', times[1] ?? '?', '--to', times[2] ?? '?'];
    const ran = await on.hubctl(['keys', 'remove-posts', 'ranged', ...range, '--yes']);
    expect(ran.stdout).toMatch(/^Removed 1 post of ranged from .* UTC to .* UTC\n$/);
    expect(ran.stderr).toMatch(/hubctl keys remove-posts key_\w+ --undo rmv_\w+/);
    const left = await messages();
    for (const [text, isThere] of [
      ['ranged 0', true],
      ['ranged 1', false],
      ['ranged 2', true],
    ] as const) {
      expect([text, left.includes(text)]).toEqual([text, isThere]);
    }
  });

  test('asks at a terminal with how many it would be, and needs --yes without one', async () => {
    await flooding('asked', 2);
    const rejected = await on.hubctl(['keys', 'remove-posts', 'asked', '--json']);
    expect(errorOf(rejected)).toMatchObject({ exitCode: 2, message: expect.stringContaining('--yes') });
    const no = await on.hubctl(['keys', 'remove-posts', 'asked'], { responses: [false] });
    expect(no).toMatchObject({ code: 1, asked: [expect.stringContaining('Remove 2 posts of asked (Hub Releases)?')] });
    expect(await messages()).toContain('asked 1');
    expect((await on.hubctl(['keys', 'remove-posts', 'asked'], { responses: [true] })).code).toBe(0);
    expect(await messages()).not.toContain('asked');
  });

  test('--preview only counts; where there is nothing, nothing is asked', async () => {
    await flooding('counted', 2);
    const ran = await on.hubctl(['keys', 'remove-posts', 'counted', '--preview', '--json']);
    expect(ran.json()).toMatchObject({ id: null, count: 2 });
    expect(await messages()).toContain('counted 1');
    await on.issue('silent');
    const silent = await on.hubctl(['keys', 'remove-posts', 'silent'], { responses: [] });
    expect(silent).toMatchObject({ code: 0, stdout: 'There are no posts of silent\n' });
    expect((await on.hubctl(['keys', 'remove-posts', 'silent', '--list'])).stderr).toContain('No posts of silent');
  });

  test('works for a key that was revoked before, which is what mostly comes first', async () => {
    const { id } = await flooding('leaked', 1);
    await on.hubctl(['keys', 'revoke', id, '--yes']);
    expect((await on.hubctl(['keys', 'remove-posts', 'leaked', '--yes', '--json'])).json()).toMatchObject({ count: 1 });
  });

  test('with a time of another form, or --undo beside a range, is wrong usage', async () => {
    await on.issue('wrong');
    for (const flags of [
      ['--from', 'yesterday'],
      ['--to', '2027-01-31'],
      ['--undo', 'rem_1', '--from', '2027-01-31T09:00Z'],
      ['--list', '--yes'],
      ['--from', '2027-01-31T09:00Z', '--to', '2027-01-31T09:00Z'],
    ]) {
      expect((await on.hubctl(['keys', 'remove-posts', 'wrong', ...flags])).code).toBe(2);
    }
    expect((await on.hubctl(['keys', 'remove-posts', 'wrong', '--undo', 'rem_1'])).code).toBe(1);
    const noDay = await on.hubctl(['keys', 'remove-posts', 'wrong', '--from', '2027-02-31T09:00Z', '--yes']);
    expect(noDay).toMatchObject({ code: 2, stderr: expect.stringContaining('--from 2027-02-31T09:00Z is no') });
  });

  test('without a key says how to name one for what was to be done', async () => {
    for (const act of ['--list', '--undo rmv_1', '--preview', '--yes']) {
      const ran = await on.hubctl(['keys', 'remove-posts', ...act.split(' ')]);
      expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(`remove-posts KEY ${act}\n`) });
    }
  });
});

describe('--usage', () => {
  test('of keys show says the requests and posts of each day', async () => {
    const { id } = await flooding('busy', 2);
    const ran = await on.hubctl(['keys', 'show', 'busy', '--usage']);
    const day = new Date(on.hub.clock.now()).toISOString().slice(0, 10);
    expect(ran.stdout).toMatch(new RegExp(`${day} +2 +2 +█{20}\n$`));
    const { usage } = (await on.hubctl(['keys', 'show', id, '--usage', '--json'])).json<{ usage: object[] }>();
    expect(usage).toHaveLength(30);
    expect(usage.at(-1)).toEqual({ day, requests: 2, posts: 2, blocks: 0 });
    await on.issue('idle');
    expect((await on.hubctl(['keys', 'show', 'idle', '--usage'])).stderr).toContain('Not used in the last 30 days.');
  });

  test('of keys list draws thirty days', async () => {
    await flooding('drawn', 1);
    const ran = await on.hubctl(['keys', 'list', '--usage']);
    expect(ran.stdout).toContain('LAST 30 DAYS');
    expect(ran.stdout).toMatch(/drawn .*·{29}█/);
    const { items } = (await on.hubctl(['keys', 'list', '--usage', '--json'])).json<{
      items: { usage?: object[] }[];
    }>();
    expect(items[0]?.usage).toHaveLength(30);
    expect((await on.hubctl(['keys', 'list', '--json'])).stdout).not.toContain('"usage"');
  });
});
