import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { ApiKey } from '@hub/contract';
import { daysFromNow, NOW, testKey } from '@hub/contract/test-key.fixture';
import { shared } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { memberOf } from '@hub/testkit/in-process/users';
import { temporaryFolder } from '@hub/testkit/test-folder';
import { groupKeys, type KeyFilter } from './group-keys.ts';
import { countWorking, isIdle, isOver, isReplacementOf, stateOf, switchedMachines, switchedText } from './key-state.ts';
import { READ_KEY, snippetsFor } from './snippets.ts';

describe('the list of keys', () => {
  const ANY = { hubId: null, state: null, issuerId: null, includeInactive: false, isUrgent: false, text: '' };
  const rotated = (id: string, successorId: string) =>
    testKey({ id, successorId, state: 'rotated', overlapEndsAt: daysFromNow(0.5) });

  /** "Deploys: b, a < a2": the lines of each Hub as the ids of their keys, previous keys after "<". */
  const shown = (keys: readonly ApiKey[], filter: Partial<KeyFilter> = {}): string[] =>
    groupKeys(keys, { ...ANY, ...filter }, NOW).map(
      ({ hubName, lines }) =>
        `${hubName}: ${lines.map(({ key, old }) => [key, ...old].map(({ id }) => id).join(' < ')).join(', ')}`,
    );

  test('groups keys by Hub and sorts them by name, inactive keys last and only when requested', () => {
    const keys = [
      testKey({ id: 'w', hubId: 'hub_2', hubName: 'Website', name: 'forms' }),
      testKey({ id: 'b', name: 'beta' }),
      testKey({ id: 'a0', name: 'alpha', state: 'revoked', revokedAt: daysFromNow(-1) }),
      testKey({ id: 'a', name: 'alpha' }),
    ];
    expect(shown(keys)).toEqual(['Deploys: a, b', 'Website: w']);
    expect(shown(keys, { includeInactive: true })).toEqual(['Deploys: a, b, a0', 'Website: w']);
    expect(shown(keys, { state: 'revoked' })).toEqual(['Deploys: a0']);
    expect(shown(keys, { hubId: 'hub_2' })).toEqual(['Website: w']);
    expect(shown(keys, { text: 'BET' })).toEqual(['Deploys: b']);
    const byAda = keys.map((key) => ({ ...key, createdBy: { ...key.createdBy, id: key.id === 'a' ? 'ada' : 'x' } }));
    expect(shown(byAda, { issuerId: 'ada' })).toEqual(['Deploys: a']);
    const gone = keys.map((key) => ({ ...key, isIssuerGone: key.id === 'b' }));
    expect(shown(gone, { isUrgent: true })).toEqual(['Deploys: b']);
  });

  test('lists a rotated key below its newest successor while it works, and separately afterwards', () => {
    const newest = testKey({ id: '3', generation: 3, predecessorId: '2' });
    const keys = [newest, rotated('2', '3'), rotated('1', '2')];
    expect(shown(keys)).toEqual(['Deploys: 3 < 2 < 1']);
    expect(shown(keys, { state: 'rotated' })).toEqual(['Deploys: 3 < 2 < 1']);
    const ended = { ...rotated('1', '2'), overlapEndsAt: daysFromNow(-1) };
    expect(shown([newest, ended], { includeInactive: true })).toEqual(['Deploys: 3, 1']);
  });
});

describe('the state of a key', () => {
  test.each([
    ['active', { expiresAt: daysFromNow(14.01) }],
    ['expiring', { expiresAt: daysFromNow(14) }],
    ['expired', { expiresAt: daysFromNow(0) }],
    ['rotated', { state: 'rotated', successorId: 'key_2', overlapEndsAt: daysFromNow(0.5) }],
    ['blocked', { state: 'blocked', blockedUntil: daysFromNow(0.001), expiresAt: daysFromNow(3) }],
    ['active', { state: 'blocked', blockedUntil: daysFromNow(0) }],
    ['hubless', { isHubDeleted: true, expiresAt: daysFromNow(3) }],
    ['hubless', { isHubDeleted: true, state: 'blocked', blockedUntil: daysFromNow(0.001) }],
    ['expired', { isHubDeleted: true, expiresAt: daysFromNow(0) }],
    ['revoked', { state: 'revoked', revokedAt: daysFromNow(-1), expiresAt: daysFromNow(-1) }],
  ] as const)('a key is %s with %j', (state, over) => {
    expect(stateOf(testKey(over), NOW)).toBe(state);
    expect(isOver(testKey(over), NOW)).toBe(state === 'expired' || state === 'revoked');
    expect(isIdle(testKey(over), NOW)).toBe(['expired', 'revoked', 'hubless'].includes(state));
  });

  test('counts working keys, including both keys of a rotation, but not revoked keys or keys of a deleted Hub', () => {
    const keys = [
      testKey(),
      testKey({ state: 'rotated', successorId: 'key_1', overlapEndsAt: daysFromNow(0.5) }),
      testKey({ state: 'blocked', blockedUntil: daysFromNow(0.001) }),
      testKey({ state: 'revoked', revokedAt: daysFromNow(-1) }),
      testKey({ isHubDeleted: true }),
    ];
    expect(countWorking(keys, NOW)).toBe(3);
  });

  test('tells a replacement from a rotation: the old key was revoked when the new one was issued', () => {
    const key = testKey({ id: 'key_2', predecessorId: 'key_1', createdAt: daysFromNow(-1) });
    expect(isReplacementOf(key, testKey({ successorId: 'key_2', revokedAt: daysFromNow(-1) }))).toBe(true);
    expect(isReplacementOf(key, testKey({ successorId: 'key_2', revokedAt: daysFromNow(-0.5) }))).toBe(false);
    expect(isReplacementOf(key, testKey({ successorId: 'key_2', overlapEndsAt: daysFromNow(0) }))).toBe(false);
    expect(isReplacementOf(key, undefined)).toBe(false);
  });
});

describe('the machines of a rotated key', () => {
  const use = (address: string, days: number) => ({ address, lastUsedAt: daysFromNow(days), requests: 1 });
  const ROTATED = daysFromNow(0);

  test('counts an address as switched once it has used the successor after the old key', () => {
    const switched = switchedMachines([use('a', -1), use('b', 0.1)], [use('a', 0.2)], ROTATED);
    expect(switched).toEqual({ all: 2, switched: 1, left: ['b'] });
    expect(switchedText(switched)).toBe('1 of 2 machines switched');
  });

  test.each([
    [0, 0, 'Not used recently'],
    [1, 0, '1 machine hasn’t switched yet'],
    [1, 1, 'Nothing uses this key anymore'],
    [3, 0, '0 of 3 machines switched'],
    [3, 3, 'All 3 machines switched'],
  ])('describes %p machines of which %p have switched', (all, switched, text) => {
    expect(switchedText({ all, switched, left: [] })).toBe(text);
  });
});

const KEY = 'hub_live_typed';
/** Shell stubs for the commands in the snippets. They print the key that the real commands would send. */
const STUBS = `curl() { echo "curl with <$HUB_API_KEY>"; }; hubctl() { echo "hubctl with <$HUB_API_KEY>"; };`;
const ECHO = `stty -a | grep -q -- ' echo ' && echo 'It shows what is typed.'`;
/** The `c_lflag` bit (ECHO) of a terminal that shows what is typed; see termios(3). */
const ECHO_FLAG = 8;
const shellSnippets = snippetsFor('messages', 'https://hub.example').filter(({ isForShell }) => isForShell);

/** Runs `script` in a terminal, and types the key once the terminal no longer shows what is typed. */
async function runAtTerminal(shell: string, script: string): Promise<string> {
  const screen: string[] = [];
  const ran = Bun.spawn([shell, '-euc', script], {
    env: { PATH: Bun.env.PATH ?? '', TERM: 'dumb' },
    terminal: { cols: 200, data: (_, bytes) => void screen.push(new TextDecoder().decode(bytes)) },
  });
  const { terminal } = ran;
  while (terminal && ran.exitCode === null && (terminal.localFlags & ECHO_FLAG) !== 0) {
    await new Promise(setImmediate);
  }
  terminal?.write(`${KEY}\n`);
  await ran.exited;
  return screen.join('');
}

describe.each(['bash', 'zsh'].filter((shell) => Bun.which(shell) !== null))('in %s', (shell) => {
  test.each(shellSnippets.map(({ name, code }) => [name, code]))(
    '%s sends the key that was typed, and the terminal does not show it while it is typed',
    async (name, code) => {
      const screen = await runAtTerminal(shell, `${STUBS}\n${READ_KEY}\n${code}\n${ECHO}`);
      expect(screen).toContain(`${name} with <${KEY}>`);
      expect(screen.split(KEY)).toHaveLength(2);
      expect(screen).toContain('It shows what is typed.');
    },
  );
});

/** The home folder for the snippets. It has no hubctl profile, and is deleted afterwards along with Bun's caches. */
const home = temporaryFolder();
afterAll(() => home[Symbol.dispose]());
const ROOT = join(import.meta.dir, '../../../../../..');

const hub = shared(startTestHub);

/** Runs a copied snippet with the key in the environment. */
async function run(command: string[], env: Record<string, string>): Promise<void> {
  const withPath = { PATH: Bun.env.PATH ?? '', HOME: home.path, ...env };
  const ran = Bun.spawn(command, { cwd: join(ROOT, 'apps/cli'), env: withPath, stderr: 'pipe' });
  if ((await ran.exited) !== 0) throw new Error(`${command.join(' ')}: ${await new Response(ran.stderr).text()}`);
}

test.each(['messages', 'notes', 'todos'] as const)(
  'each snippet for %s creates a post when it is run',
  async (kind) => {
    const { id: hubId } = await hub.admin.createHub();
    const ada = await memberOf(hub, hubId);
    const { key } = await hub.admin.issueKey({ hubId, name: 'ci', scopes: [`${kind}:create`] });
    const [curl, hubctl, client, actions] = snippetsFor(kind, hub.url).map(({ code }) => code);
    const hubctlHere = `hubctl() { ${process.execPath} ${join(ROOT, 'apps/cli/src/main.ts')} "$@"; }\n`;
    for (const script of [curl, hubctlHere + hubctl]) await run(['bash', '-euc', script ?? ''], { HUB_API_KEY: key });
    await run([process.execPath, '-e', client ?? ''], { HUB_API_KEY: key });
    const [, script = ''] = actions?.split('run: |\n') ?? [];
    const evaluated = script.replaceAll(/\$\{\{ job\.status \}\}/g, 'success');
    const runner = { HUB_API_KEY: key, GITHUB_REPOSITORY: 'example/site', GITHUB_RUN_NUMBER: '42' };
    await run(['bash', '-euc', evaluated], runner);
    const { body } = await ada.json<{ items: object[] }>('GET', `/hubs/${hubId}/${kind}`);
    expect(body.items).toHaveLength(4);
    expect(JSON.stringify(body.items[0])).toMatch(/example\/site.*42|42.*example\/site/);
  },
);
