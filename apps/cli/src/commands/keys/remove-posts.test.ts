import { describe, expect, test } from 'bun:test';
import type { Removal } from '@hub/contract';
import { sharedHubctl } from '@hub/testkit/cli/hubctl-on-hub';

const on = sharedHubctl();

/** Issues a key and posts with it, once a minute. */
async function issueAndPost(name: string, posts: number) {
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
  test("removes a key's posts, and --undo restores them", async () => {
    const key = await issueAndPost('flood', 3);
    const ran = await on.hubctl(['keys', 'remove-posts', 'flood', '--yes', '--json']);
    const removal = ran.json<Removal>();
    expect(ran.json()).toMatchObject({ id: expect.any(String), keyId: key.id, count: 3, undoneAt: null });
    expect(await messages()).not.toContain('flood');
    const undone = await on.hubctl(['keys', 'remove-posts', 'flood', '--undo', removal.id ?? '?']);
    expect(undone.stdout).toBe('Restored 3 posts by flood\n');
    expect(await messages()).toContain('flood 2');
    const list = (await on.hubctl(['keys', 'remove-posts', 'flood', '--list', '--json'])).json<{ items: Removal[] }>();
    expect(list.items).toMatchObject([{ id: removal.id, undoneAt: expect.any(String) }]);
    expect((await on.hubctl(['keys', 'remove-posts', 'flood', '--list'])).stdout).toContain(removal.id ?? '?');
  });

  test('removes the posts from a time range, excluding its end', async () => {
    const { times } = await issueAndPost('ranged', 3);
    const range = ['--from', times[1] ?? '?', '--to', times[2] ?? '?'];
    const ran = await on.hubctl(['keys', 'remove-posts', 'ranged', ...range, '--yes']);
    expect(ran.stdout).toMatch(/^Removed 1 post by ranged from .* UTC to .* UTC\n$/);
    expect(ran.stderr).toMatch(/hubctl keys remove-posts key_\w+ --undo rmv_\w+/);
    const remaining = await messages();
    for (const [text, isThere] of [
      ['ranged 0', true],
      ['ranged 1', false],
      ['ranged 2', true],
    ] as const) {
      expect([text, remaining.includes(text)]).toEqual([text, isThere]);
    }
  });

  test('only counts the posts if --preview is given, and does not ask for confirmation if there are none', async () => {
    await issueAndPost('counted', 2);
    const ran = await on.hubctl(['keys', 'remove-posts', 'counted', '--preview', '--json']);
    expect(ran.json()).toMatchObject({ id: null, count: 2 });
    for (const [range, count] of [
      [['--from', '2h'], 2],
      [['--to', '+90s'], 0],
    ] as const) {
      const argv = ['keys', 'remove-posts', 'counted', ...range, '--preview', '--json'];
      expect((await on.hubctl(argv, { now: on.hub.clock.now() })).json()).toMatchObject({ count });
    }
    expect(await messages()).toContain('counted 1');
    await on.issue('silent');
    const silent = await on.hubctl(['keys', 'remove-posts', 'silent'], { responses: [] });
    expect(silent).toMatchObject({ code: 0, stdout: 'silent has no posts\n' });
    expect((await on.hubctl(['keys', 'remove-posts', 'silent', '--list'])).stderr).toContain('No posts by silent');
  });
});

describe('with --usage,', () => {
  test('keys show prints the number of requests and posts for each day', async () => {
    const { id } = await issueAndPost('busy', 2);
    const ran = await on.hubctl(['keys', 'show', 'busy', '--usage']);
    const day = new Date(on.hub.clock.now()).toISOString().slice(0, 10);
    expect(ran.stdout).toMatch(new RegExp(`${day} +2 +2 +█{20}\n$`));
    const { usage } = (await on.hubctl(['keys', 'show', id, '--usage', '--json'])).json<{ usage: object[] }>();
    expect(usage).toHaveLength(30);
    expect(usage.at(-1)).toEqual({ day, requests: 2, posts: 2, blocks: 0 });
    await on.issue('idle');
    expect((await on.hubctl(['keys', 'show', 'idle', '--usage'])).stderr).toContain('Not used in the last 30 days.');
  });
});
