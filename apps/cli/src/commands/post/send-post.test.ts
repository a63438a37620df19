import { describe, expect, test } from 'bun:test';
import type { IssuedKey } from '@hub/contract';
import { sharedHubctl } from '@hub/testkit/cli/hubctl-on-hub';
import { errorOf, type RunOptions, runHubctl } from '@hub/testkit/cli/run-hubctl';
import { errorResponse, startScriptedServer } from '@hub/testkit/scripted-server';

const on = sharedHubctl();

const post = (key: IssuedKey, argv: string[], env: Record<string, string> = {}) =>
  on.hubctl(['post', ...argv], { env: { HUB_API_KEY: key.key, ...env } });

describe('a post to a real server', () => {
  test('prints ID and web address for each kind, over the local socket and over HTTP', async () => {
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

  test('causes exit code 4 if the key lacks the scope or is revoked', async () => {
    const key = await on.issue('scoped');
    const scope = await post(key, ['note', 'x', '--json']);
    expect(scope.code).toBe(4);
    expect(errorOf(scope)).toMatchObject({ code: 'forbidden', statusCode: 403, requestId: expect.any(String) });
    await on.hub.admin.revokeKey(key.id);
    const revoked = await post(key, ['x', '--json']);
    expect(revoked.code).toBe(4);
    expect(errorOf(revoked)).toMatchObject({ code: 'unauthenticated', statusCode: 401 });
  });

  test('causes exit code 5 if it exceeds the rate limit, and shows how many seconds to wait', async () => {
    const key = await on.issue('busy');
    for (let request = 0; request < 60; request += 1) expect((await post(key, ['x'])).code).toBe(0);
    const ran = await post(key, ['x', '--json']);
    expect(ran.code).toBe(5);
    expect(errorOf(ran)).toMatchObject({ code: 'rate_limited', statusCode: 403, retryAfterSeconds: 300 });
    expect((await post(key, ['x'])).stderr).toContain('300 seconds');
  });
});

describe('--soft-fail', () => {
  test('warns and exits with 0 if the post is rejected, the key is invalid, or the server is unreachable', async () => {
    const key = await on.issue('soft');
    for (const ran of [
      await post(key, ['note', 'x', '--soft-fail']),
      await post({ ...key, key: 'hub_live_short' }, ['x', '--soft-fail']),
      await post(key, ['x', '--soft-fail', '--data-dir', '/nonexistent']),
      await on.hubctl(['post', '--soft-fail'], { env: { HUB_API_KEY: key.key }, stdin: new Uint8Array([0xff]) }),
    ]) {
      expect(ran).toMatchObject({ code: 0, stdout: '' });
      expect(ran.stderr).toStartWith('warning: Not posted: ');
    }
  });

  const RUN_DATA: [title: string, argv: string[], options: RunOptions][] = [
    ['an empty standard input', [], { stdin: '' }],
    ['an empty argument', [''], {}],
    ['an empty option value', ['note', 'x', '--title', ''], {}],
    ['an empty server URL', ['x', '--url='], {}],
    ['a missing file', ['--file', '/nonexistent/text'], {}],
    ['blocks that are not JSON', ['--blocks', '-'], { stdin: '{' }],
    ['text over the limit', [], { stdin: 'x'.repeat(50_000) }],
    ['a title over the limit', ['todo', 'x'.repeat(300)], {}],
    ['a body over the limit', [], { stdin: 'x'.repeat(1024 * 1024 + 1) }],
    ['a missing key file', ['x', '--key-file', '/nonexistent/key'], {}],
    ['a key file that is a folder', ['x', '--key-file', '/tmp'], {}],
    ['a missing key', ['x'], { env: { HUB_API_KEY: '' } }],
    ['an invalid URL in HUB_URL', ['x'], { env: { HUB_URL: 'hub' } }],
    ['an unknown profile', ['x', '--profile', 'nowhere'], { env: { HOME: '/nonexistent' } }],
  ];
  test.each(RUN_DATA)('warns and exits with 0 for %s', async (_, argv, options) => {
    const { key } = await on.hub.admin.issueKey({ hubId: on.releases.id });
    const run = (...flags: string[]) =>
      on.hubctl(['post', ...argv, '--soft-fail', ...flags], { ...options, env: { HUB_API_KEY: key, ...options.env } });
    expect(await run()).toMatchObject({ code: 0, stdout: '', stderr: expect.stringMatching(/^warning: Not posted: /) });
    expect(errorOf(await run('--json'))).toMatchObject({ message: expect.any(String), exitCode: 0 });
    const hard = await on.hubctl(['post', ...argv], { ...options, env: { HUB_API_KEY: key, ...options.env } });
    expect(hard.code).toBeGreaterThan(0);
  });

  test('still exits with 2 for an invalid command line', async () => {
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
      ['todo', 'x', '--due', 'soon'],
      ['todo', 'x', '--due', '2027-02-31T09:00Z'],
      ['todo', 'x', '--priority', 'asap'],
    ]) {
      expect({ argv, code: (await post(key, [...argv, '--soft-fail'])).code }).toEqual({ argv, code: 2 });
    }
  });
});

describe('--wait', () => {
  test('reports a block, waits until it ends, and posts once', async () => {
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
    expect(ran.stderr).toContain('Retrying in 1 second');
    expect(responses).toBe(2);
  });

  test('with --wait-max, fails at once for a longer block', async () => {
    const { key } = await on.issue('limited');
    await using server = startScriptedServer(() => errorResponse(403, 'Blocked.', { 'retry-after': '61' }));
    const env = { HUB_API_KEY: key, HUB_URL: server.url };
    expect((await runHubctl(['post', 'x', '--wait-max', '1m'], { env })).code).toBe(5);
    expect(server.requests).toHaveLength(1);
    for (const waitMax of ['1', 'm', '1y', '-1s']) {
      expect((await runHubctl(['post', 'x', `--wait-max=${waitMax}`], { env })).code).toBe(2);
    }
  });
});
