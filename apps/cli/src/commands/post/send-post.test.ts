import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { IssuedKey } from '@hub/contract';
import { type HubctlOnHub, startHubctl } from '../../testing/hubctl-on-hub.ts';
import { errorOf, type RunOptions, runHubctl } from '../../testing/run-hubctl.ts';
import { errorResponse, startScriptedServer } from '../../testing/scripted-server.ts';

let on: HubctlOnHub;
beforeAll(async () => {
  on = await startHubctl();
});
afterAll(() => on.stop());

const post = (key: IssuedKey, argv: string[], env: Record<string, string> = {}) =>
  on.hubctl(['post', ...argv], { env: { HUB_API_KEY: key.key, ...env } });

describe('a post to the real server', () => {
  test('of each kind prints id and web address, over the local socket and over HTTP', async () => {
    const key = await on.hub.admin.issueKey({ hubId: on.releases.id });
    for (const env of [{}, { HUB_URL: on.hub.url }]) {
      for (const [argv, prefix] of [
        [['Hello'], 'msg'],
        [['note', 'Text', '--title', 'Title'], 'note'],
        [['todo', 'Title', '--due', '2027-01-31T09:00Z', '--priority', 'urgent'], 'todo'],
      ] as const) {
        const ran = await post(key, [...argv], env);
        expect(ran.code).toBe(0);
        expect(ran.stdout).toMatch(new RegExp(`^(${prefix}_\\w{26}) ${on.hub.url}/p/\\1\n$`));
      }
    }
    const json = (await post(key, ['Hello', '--json'])).json();
    expect(Object.keys(json).sort()).toEqual(['conversationId', 'createdAt', 'id', 'url']);
    expect((await on.hubctl(['keys', 'show', key.id, '--json'])).json()).toMatchObject({ postCount: 7 });
  });

  test('is refused with exit 4 for an unknown, a revoked key and one without the scope', async () => {
    const key = await on.issue('scoped');
    const scope = await post(key, ['note', 'x', '--json']);
    expect(scope.code).toBe(4);
    expect(errorOf(scope)).toMatchObject({ code: 'forbidden', statusCode: 403, requestId: expect.any(String) });
    await on.hub.admin.revokeKey(key.id);
    const revoked = await post(key, ['x', '--json']);
    expect(revoked.code).toBe(4);
    expect(errorOf(revoked)).toMatchObject({ code: 'unauthenticated', statusCode: 401 });
  });

  test('is refused with exit 2 for a bad due date, and with exit 1 for a deleted Hub', async () => {
    const other = await on.hub.admin.createHub('Going');
    const key = await on.hub.admin.issueKey({ hubId: other.id });
    for (const due of ['tomorrow', '2026-12-01', '2026-02-31T09:00Z']) {
      expect((await post(key, ['todo', 'x', '--due', due])).code).toBe(2);
    }
    const bad = await post(key, ['todo', 'x', '--due', '2026-02-28T25:00Z', '--json']);
    expect(bad.code).toBe(2);
    expect(errorOf(bad)).toMatchObject({ code: 'usage', message: expect.stringContaining('--due must be') });
    expect(errorOf(bad).message).not.toContain('dueDate');
    await on.hub.admin.deleteHub(other.id);
    expect((await post(key, ['x'])).code).toBe(1);
  });

  test('over the limit is exit 5 with the seconds', async () => {
    const key = await on.issue('busy');
    for (let request = 0; request < 60; request += 1) expect((await post(key, ['x'])).code).toBe(0);
    const ran = await post(key, ['x', '--json']);
    expect(ran.code).toBe(5);
    expect(errorOf(ran)).toMatchObject({ code: 'rate_limited', statusCode: 403, retryAfterSeconds: 300 });
    expect((await post(key, ['x'])).stderr).toContain('300 seconds');
  });
});

describe('--soft-fail', () => {
  test('warns and exits 0 when the post is refused, the key is no key, or the server is away', async () => {
    const key = await on.issue('soft');
    for (const ran of [
      await post(key, ['note', 'x', '--soft-fail']),
      await post({ ...key, key: 'hub_live_short' }, ['x', '--soft-fail']),
      await post(key, ['x', '--soft-fail', '--data-dir', '/nonexistent']),
      await on.hubctl(['post', '--soft-fail'], { env: { HUB_API_KEY: key.key }, stdin: new Uint8Array([0xff]) }),
    ]) {
      expect(ran).toMatchObject({ code: 0, stdout: '' });
      expect(ran.stderr).toStartWith('warning: not posted: ');
    }
  });

  test('still prints the error as JSON, with the exit code of the process', async () => {
    const ran = await post(await on.issue('soft JSON'), ['note', 'x', '--soft-fail', '--json']);
    expect(ran.code).toBe(0);
    expect(errorOf(ran)).toMatchObject({ code: 'forbidden', statusCode: 403, exitCode: 0 });
  });

  const RUN_DATA: [what: string, argv: string[], options: RunOptions][] = [
    ['nothing on standard input', [], { stdin: '' }],
    ['an empty argument', [''], {}],
    ['an empty value of an option', ['note', 'x', '--title', ''], {}],
    ['an empty address of the server', ['x', '--url='], {}],
    ['a file that is missing', ['--file', '/nonexistent/text'], {}],
    ['blocks that are no JSON', ['--blocks', '-'], { stdin: '{' }],
    ['a text that is too long', [], { stdin: 'x'.repeat(50_000) }],
    ['a title that is too long', ['todo', 'x'.repeat(300)], {}],
    ['a body that is too large', [], { stdin: 'x'.repeat(1024 * 1024 + 1) }],
    ['a key file that is missing', ['x', '--key-file', '/nonexistent/key'], {}],
    ['a key file that is a folder', ['x', '--key-file', '/tmp'], {}],
    ['no key', ['x'], { env: { HUB_API_KEY: '' } }],
    ['an address of the server in HUB_URL that is none', ['x'], { env: { HUB_URL: 'hub' } }],
    ['a profile that nobody has logged in to', ['x', '--profile', 'nowhere'], { env: { HOME: '/nonexistent' } }],
  ];
  test.each(RUN_DATA)('warns and exits 0 for what depends on the run: %s', async (_, argv, options) => {
    const { key } = await on.hub.admin.issueKey({ hubId: on.releases.id });
    const run = (...flags: string[]) =>
      on.hubctl(['post', ...argv, '--soft-fail', ...flags], { ...options, env: { HUB_API_KEY: key, ...options.env } });
    expect(await run()).toMatchObject({ code: 0, stdout: '', stderr: expect.stringMatching(/^warning: not posted: /) });
    expect(errorOf(await run('--json'))).toMatchObject({ message: expect.any(String), exitCode: 0 });
    const hard = await on.hubctl(['post', ...argv], { ...options, env: { HUB_API_KEY: key, ...options.env } });
    expect(hard.code).toBeGreaterThan(0);
  });

  test('does not cover up a wrong call', async () => {
    const key = await on.issue('wrong call');
    for (const argv of [
      ['x', 'y'],
      ['x', '--file', 'z'],
      ['x', '--timeout', 'soon'],
      ['x', '--frobnicate'],
      ['x', '--run-marker', 'a b'],
      ['x', '--url', 'hub'],
      ['x', '--url', 'https://hub.example.org', '--local'],
      ['x', '--profile', 'work', '--local'],
      ['x', '--key-file', '-'],
      ['x', '--key-file', 'key', '--key-stdin'],
      ['--key-stdin'],
      ['--blocks', '-', 'x'],
      ['note', 'x', '--content', 'y'],
      ['todo', 'x', '--due', 'tomorrow'],
      ['todo', 'x', '--due', '2027-02-31T09:00Z'],
      ['todo', 'x', '--priority', 'asap'],
    ]) {
      expect({ argv, code: (await post(key, [...argv, '--soft-fail'])).code }).toEqual({ argv, code: 2 });
    }
  });
});

describe('--wait', () => {
  test('waits out a block, says so, and posts once', async () => {
    const { key } = await on.issue('patient');
    let responses = 0;
    await using server = startScriptedServer(() => {
      responses += 1;
      if (responses === 1) return errorResponse(403, 'Blocked.', { 'retry-after': '1' });
      const data = { id: 'msg_1', conversationId: 'cnv_1', createdAt: '2026-03-01T09:30:00.000Z' };
      return Response.json({ success: true, data }, { status: 201 });
    });
    const ran = await runHubctl(['post', 'x', '--wait', '--json'], { env: { HUB_API_KEY: key, HUB_URL: server.url } });
    expect(ran.code).toBe(0);
    expect(ran.json()).toMatchObject({ id: 'msg_1' });
    expect(ran.stderr).toContain('Waiting 1 second');
    expect(responses).toBe(2);
  });

  test('without it, a block fails at once', async () => {
    const { key } = await on.issue('impatient');
    await using server = startScriptedServer(() => errorResponse(403, 'Blocked.', { 'retry-after': '17' }));
    const ran = await runHubctl(['post', 'x'], { env: { HUB_API_KEY: key, HUB_URL: server.url } });
    expect(ran.code).toBe(5);
    expect(ran.stderr).toContain('Try again in 17 seconds, or add --wait.');
    expect(server.requests).toHaveLength(1);
  });
});
