import { describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { type ServerProcess, spawnServer } from '@hub/testkit/server-process';
import { testFolder } from '@hub/testkit/test-folder';

/** Stops a server once it is ready, and returns the setup link that it printed, or `undefined`. */
async function linkPrintedBy(hub: ServerProcess): Promise<string | undefined> {
  await hub.serving();
  hub.kill('SIGTERM');
  await hub.ended();
  return /^ {2}(\S+\/setup#hub_lnk_\w{40})$/m.exec(hub.stderr())?.[1];
}

const postJson = (url: string, body: object) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

describe('a server without an owner', () => {
  test('prints a new setup link on each start and keeps it out of the log', async () => {
    const dataDir = testFolder('hub-first-start-');
    const env = { HUB_LOG_LEVEL: 'debug', HUB_BASE_URL: 'https://hub.example.org' };
    try {
      await using first = spawnServer({ dataDir, env });
      const [former, output] = [await linkPrintedBy(first), first.stdout()];
      expect(former).toStartWith('https://hub.example.org/setup#hub_lnk_');
      expect(first.stderr()).toContain('hubctl setup-link\n');
      expect(output).toContain('"Serving"');
      expect(output).not.toContain('hub_lnk_');

      await using second = spawnServer({ dataDir, env });
      const next = await linkPrintedBy(second);
      expect(next).toStartWith('https://hub.example.org/setup#hub_lnk_');
      expect(next).not.toBe(former);
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  });

  test('can be set up with that link, and prints no link afterwards', async () => {
    const dataDir = testFolder('hub-first-start-');
    try {
      await using hub = spawnServer({ dataDir });
      const { url } = await hub.serving();
      const made = await fetch('http://localhost/api/v1/setup-link', { unix: hub.adminSocket, method: 'POST' });
      const { link } = (await made.json()) as { link: string };
      expect(link).toStartWith(`${url}/setup#`);
      const owner = { email: 'ada@example.org', name: 'Ada', password: 'a good password', token: link.split('#')[1] };
      const used = await postJson(`${url}/api/v1/links/redemption`, owner);
      expect(used.status).toBe(201);
      expect(used.headers.get('set-cookie')).toStartWith('hub_session=hub_ses_');
      hub.kill('SIGTERM');
      await hub.ended();

      await using again = spawnServer({ dataDir });
      expect(await linkPrintedBy(again)).toBeUndefined();
      expect(again.stderr()).not.toContain('setup');
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});
