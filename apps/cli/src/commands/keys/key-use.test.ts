import { describe, expect, test } from 'bun:test';
import type { Removal } from '@hub/contract';
import { post as postTo } from '@hub/testkit/in-process/test-hub';
import { sharedHubctl } from '../../../test/hubctl-on-hub.ts';
import { errorOf } from '../../../test/run-hubctl.ts';
import { showTime } from '../../runtime/format.ts';
import type { KeyFinding } from './doctor.ts';

const DAY_MS = 86_400_000;

const on = sharedHubctl();

const post = (key: string) => postTo(on.hub, 'messages', key, { text: 'x' });

/** Creates a Hub, so that each test sees only its own keys. */
async function startHub() {
  const { id } = await on.hub.admin.createHub();
  const ran = async (...flags: string[]) => await on.hubctl(['doctor', '--keys', '--hub', id, ...flags]);
  return {
    ran,
    issue: (input: { name: string; lifetimeSeconds?: number }) => on.hub.admin.issueKey({ hubId: id, ...input }),
    findings: async (): Promise<KeyFinding[]> => {
      const document = (await ran('--json')).json<{ items?: KeyFinding[]; error?: { findings: KeyFinding[] } }>();
      return document.items ?? document.error?.findings ?? [];
    },
  };
}

describe('doctor --keys', () => {
  test('fails with exit code 1 for a blocked key and for one that expires within a day', async () => {
    const hub = await startHub();
    const { key } = await hub.issue({ name: 'busy', lifetimeSeconds: 90 * 86_400 });
    for (let request = 0; request < 61; request += 1) await post(key);
    const message = expect.stringMatching(/^is blocked: /);
    expect(await hub.findings()).toMatchObject([{ finding: 'blocked', status: 'problem', message }]);
    await hub.issue({ name: 'soon', lifetimeSeconds: 3 * 86_400 });
    on.hub.clock.advance(2.5 * DAY_MS);
    const soon = { finding: 'expiring', status: 'problem', name: 'soon' };
    const findings = [soon, { finding: 'blocked', status: 'warning', name: 'busy' }];
    expect(errorOf(await hub.ran('--json'))).toMatchObject({ code: 'unwell', exitCode: 1, findings });
    const shown = await hub.ran();
    expect(shown.stdout).toContain('problem  soon in ');
    expect(shown.stderr).toContain('1 problem found.');
  });

  test('warns about a rotated key that is still used after its successor exists', async () => {
    const hub = await startHub();
    const old = await hub.issue({ name: 'rotated', lifetimeSeconds: 90 * 86_400 });
    await post(old.key);
    const successor = await on.hub.admin.rotateKey(old.id);
    on.hub.clock.advance(120_000);
    await post(successor.key);
    expect(await hub.findings()).toEqual([]);
    await post(old.key);
    const message = expect.stringContaining('Its successor is used, too.');
    const remedy = `hubctl keys show ${successor.id}`;
    expect(await hub.findings()).toMatchObject([{ finding: 'old-key-used', keyId: old.id, remedy, message }]);
    // A successor that was replaced is not the key to look at.
    const { id, key } = await on.hub.admin.replaceKey(successor.id);
    await post(key);
    expect(await hub.findings()).toMatchObject([{ keyId: old.id, remedy: `hubctl keys show ${id}` }]);
  });
});

/** Issues a key and posts with it, once a minute. */
async function issueAndPost(name: string, posts: number) {
  const key = await on.issue(name);
  const times: string[] = [];
  for (let index = 0; index < posts; index += 1) {
    on.hub.clock.advance(60_000);
    times.push(new Date(on.hub.clock.now()).toISOString());
    await postTo(on.hub, 'messages', key.key, { text: `${name} ${index}` });
  }
  return { ...key, times };
}

const messages = async () => (await on.hub.admin.raw('GET', `/hubs/${on.releases.id}/messages?limit=100`)).text();

describe('keys posts', () => {
  test("removes a key's posts, and undo restores them", async () => {
    const key = await issueAndPost('flood', 3);
    const removal = (await on.hubctl(['keys', 'posts', 'remove', 'flood', '--yes', '--json'])).json<Removal>();
    expect(removal).toMatchObject({ id: expect.any(String), keyId: key.id, count: 3, undoneAt: null });
    expect(await messages()).not.toContain('flood');
    // At a terminal, the removals to choose from are shown.
    const responses = [`3 posts, removed ${showTime(removal.removedAt ?? '?')}`];
    const undone = await on.hubctl(['keys', 'posts', 'undo', 'flood'], { responses });
    expect(undone.stdout).toBe('Restored 3 posts by flood\n');
    expect(await messages()).toContain('flood 2');
    const again = await on.hubctl(['keys', 'posts', 'undo', 'flood'], { responses: [] });
    expect(again.stderr).toContain('No posts by flood have been removed.');
  });

  test('removes the posts from a time range, excluding its end', async () => {
    const { times } = await issueAndPost('ranged', 3);
    const range = ['--from', times[1] ?? '?', '--to', times[2] ?? '?'];
    const ran = await on.hubctl(['keys', 'posts', 'remove', 'ranged', ...range, '--yes']);
    expect(ran.stdout).toMatch(/^Removed 1 post by ranged from .* UTC to .* UTC\n$/);
    expect(ran.stderr).toMatch(/hubctl keys posts undo key_\w+ rmv_\w+/);
    const remaining = (await messages()).match(/ranged \d/g);
    expect(remaining?.sort()).toEqual(['ranged 0', 'ranged 2']);
  });

  test('preview only counts the posts, and remove does not ask for confirmation if there are none', async () => {
    await issueAndPost('counted', 2);
    const ran = await on.hubctl(['keys', 'posts', 'preview', 'counted', '--json']);
    expect(ran.json()).toMatchObject({ id: null, count: 2 });
    const past = await on.hubctl(['keys', 'posts', 'preview', 'counted', '--to', '+90s', '--json']);
    expect(past.json()).toMatchObject({ count: 0 });
    expect(await messages()).toContain('counted 1');
    await on.issue('silent');
    const silent = await on.hubctl(['keys', 'posts', 'remove', 'silent'], { responses: [] });
    expect(silent).toMatchObject({ code: 0, stdout: 'silent has no posts\n' });
  });
});
