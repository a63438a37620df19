import { describe, expect, test } from 'bun:test';
import { sharedHubctl } from '@hub/testkit/cli/hubctl-on-hub';
import { errorOf } from '@hub/testkit/cli/run-hubctl';
import type { KeyFinding } from './doctor.ts';

const DAY_MS = 86_400_000;

const on = sharedHubctl();

const post = async (key: string): Promise<number> => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return (await on.hub.fetch('/api/public/v1/messages', { method: 'POST', headers, body: '{"text":"x"}' })).status;
};

/** Creates a Hub, so that each test sees only its own keys. */
async function startHub() {
  const { id, name } = await on.hub.admin.createHub(`Hub ${Math.ceil(performance.now() * 1000)}`);
  const ran = async (...flags: string[]) => await on.hubctl(['keys', 'doctor', '--hub', id, ...flags]);
  return {
    name,
    ran,
    issue: (input: { name: string; lifetimeSeconds?: number }) => on.hub.admin.issueKey({ hubId: id, ...input }),
    findings: async (): Promise<KeyFinding[]> => {
      const document = (await ran('--json')).json<{ items?: KeyFinding[]; error?: { findings: KeyFinding[] } }>();
      return document.items ?? document.error?.findings ?? [];
    },
  };
}

describe('keys doctor', () => {
  test('fails with exit code 1 for a blocked key and for one that expires within a day', async () => {
    const hub = await startHub();
    const { key } = await hub.issue({ name: 'busy', lifetimeSeconds: 90 * 86_400 });
    for (let request = 0; request < 61; request += 1) await post(key);
    expect(await hub.findings()).toMatchObject([
      { finding: 'blocked', status: 'problem', message: expect.stringMatching(/^is blocked: /) },
    ]);
    await hub.issue({ name: 'soon', lifetimeSeconds: 3 * 86_400 });
    on.hub.clock.advance(2.5 * DAY_MS);
    const ran = await hub.ran('--json');
    expect(ran.code).toBe(1);
    expect(errorOf(ran)).toMatchObject({
      code: 'unwell',
      findings: [
        { finding: 'expiring', status: 'problem', name: 'soon' },
        { finding: 'blocked', status: 'warning', name: 'busy' },
      ],
    });
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
    const [finding, ...others] = await hub.findings();
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      finding: 'old-key-used',
      keyId: old.id,
      remedy: `hubctl keys show ${successor.id}`,
    });
    expect(finding?.message).toContain('Its successor is used, too.');
    // A successor that was replaced is not the key to look at.
    const replaced = await on.hub.admin.raw('POST', `/keys/${successor.id}/replacement`);
    const { id, key } = (await replaced.json()) as { id: string; key: string };
    await post(key);
    expect(await hub.findings()).toMatchObject([{ keyId: old.id, remedy: `hubctl keys show ${id}` }]);
  });
});

describe('keys issue --format', () => {
  test('env prints the variables for an environment file, json the document', async () => {
    const issue = (name: string, ...flags: string[]) =>
      on.hubctl(['keys', 'issue', '--hub', 'Releases', '--name', name, '--scopes', 'notes', ...flags]);
    const env = await issue('env', '--format', 'env');
    expect(env.stdout).toMatch(new RegExp(`^HUB_URL=${on.hub.origin}\nHUB_API_KEY=hub_live_\\w{40}\n$`));
    expect((await issue('json', '--format', 'json')).json()).toMatchObject({ key: expect.any(String), name: 'json' });
    expect((await issue('raw', '--format', 'raw')).stdout).toMatch(/^hub_live_\w{40}\n$/);
    expect((await issue('both', '--format', 'env', '--json')).code).toBe(2);
    expect((await issue('other', '--format', 'yaml')).code).toBe(2);
  });
});
