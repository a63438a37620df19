import { describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { KEYS, openTerminal } from '@hub/testkit/cli/terminal';
import { type ServerProcess, spawnServer } from '@hub/testkit/server-process';
import { testFolder } from '@hub/testkit/test-folder';

const MAIN = join(import.meta.dir, '../main.ts');

/** Stops a server once it is ready, and returns the setup link that it printed, or `undefined`. */
async function linkPrintedBy(hub: ServerProcess): Promise<string | undefined> {
  await hub.serving();
  hub.kill('SIGTERM');
  await hub.ended();
  return /^ {2}(\S+\/setup#hub_lnk_\w{40})$/m.exec(hub.stderr())?.[1];
}

const postJson = (url: string, body: object) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** Starts a server in a pseudo-terminal, as an operator does. */
async function startInTerminal(env: Record<string, string>) {
  const dataDir = testFolder('hub-terminal-');
  const terminal = await openTerminal(`exec ${process.execPath} --no-env-file ${MAIN}`, {
    HUB_DATA_DIR: dataDir,
    HUB_PORT: '0',
    ...env,
  });
  return {
    ...terminal,
    /** Returns the screen since the last key press, without escape sequences. */
    shown: () => Bun.stripANSI(terminal.screen()).replaceAll('\r', ''),
    socket: join(dataDir, 'admin.sock'),
    stop: async () => {
      terminal.press(KEYS.ctrlC);
      await terminal.exited;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const SETUP_LINK = /^ {2}\S+\/setup#hub_lnk_\w{40}$/gm;

describe('a server on a terminal', () => {
  test('logs text without health checks, warns once, and repeats the setup link after the first line of the log', async () => {
    const hub = await startInTerminal({ HUB_HOST: '0.0.0.0' });
    await hub.shows('hubs create "My Hub"');
    const url = /running at (\S+)/.exec(hub.shown())?.[1] ?? '';
    expect(hub.shown().match(/uses plain HTTP/g)).toHaveLength(1);
    const link = hub.shown().match(SETUP_LINK);
    expect(link).toHaveLength(1);
    hub.press('');
    await fetch(`${url}/healthz`);
    await fetch(`${url}/readyz`);
    await fetch(`${url}/api/v1/%1B%5B31m`);
    await hub.shows('/setup#hub_lnk_');
    await fetch(`${url}/api/v1/second`);
    await hub.shows('/api/v1/second 401');
    const [record, ...rest] = hub.shown().split('\n');
    expect(record).toMatch(/^\d{4}-\d\d-\d\d [\d:]{8} info {2}GET \/api\/v1\/%1B%5B31m 401 [\d.]+ ms error=/);
    expect(rest.join('\n').match(SETUP_LINK)).toEqual(link);
    expect(rest.join('\n')).not.toMatch(/healthz|readyz|^\{/m);
    await hub.stop();
  });

  test('logs JSON with HUB_LOG=json, and text elsewhere with HUB_LOG=text', async () => {
    const hub = await startInTerminal({ HUB_LOG: 'json' });
    await hub.shows('hubs create "My Hub"');
    expect(hub.shown()).toMatch(/^\{"level":"info",.*"msg":"Serving"\}$/m);
    await hub.stop();
    await using piped = spawnServer({ env: { HUB_LOG: 'text', HUB_HOST: '0.0.0.0' } });
    await piped.serving();
    piped.kill('SIGTERM');
    await piped.ended();
    expect(piped.stdout()).toMatch(/^\d{4}-\d\d-\d\d [\d:]{8} info {2}Serving version=/m);
    expect(`${piped.stdout()}${piped.stderr()}`.match(/uses plain HTTP/g)).toHaveLength(1);
  });
});

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
