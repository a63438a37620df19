import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { failureOf, isPending } from '@hub/testkit/concurrency';
import { pemOf } from '@hub/testkit/in-process/certificates';
import { shared } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { runProgram } from '@hub/testkit/run-program';
import { temporaryFolder } from '@hub/testkit/test-folder';
import { behaviours } from '../behaviours.ts';
import { bundle } from '../build.ts';
import { timedClient } from '../test/timed-client.ts';
import * as client from './index.ts';

const server = shared(startTestHub);
const text = { text: 'x' };
const untimed = { timeoutMs: Number.POSITIVE_INFINITY };
const tls = { cert: readFileSync(pemOf('first', 'cert'), 'utf8'), key: readFileSync(pemOf('first', 'key'), 'utf8') };

/** Issues a key for a new Hub. */
const issueKey = async () => await server.admin.issueKey({ hubId: (await server.admin.createHub()).id });

const postCount = async ({ id }: { id: string }) => (await server.admin.showKey(id)).postCount;

describe('the client on Bun, against the real server', () => {
  for (const [name, behave] of Object.entries(behaviours)) {
    test(name, async () => behave({ client, url: server.url, key: (await issueKey()).key, tls }));
  }

  test('is not blocked with pacing, even by 150 simultaneous posts', async () => {
    const issued = await issueKey();
    const { hub, clock } = timedClient({ baseUrl: server.url, apiKey: issued.key, ...untimed });
    const posts = Array.from({ length: 150 }, () => hub.messages.create(text));
    await Promise.all(posts.slice(0, 60));
    expect(await isPending(posts[60] as Promise<unknown>)).toBe(true);
    for (const until of [120, 150]) {
      server.clock.advance(60_050);
      clock.advance(60_050);
      await Promise.all(posts.slice(0, until));
    }
    expect(await postCount(issued)).toBe(150);
  });

  test('is blocked at the 61st request without pacing; with waitWhenBlocked, it posts after the block', async () => {
    const issued = await issueKey();
    const account = { baseUrl: server.url, apiKey: issued.key };
    const other = new client.HubClient({ ...account, pacing: false });
    for (let index = 0; index < 60; index += 1) await other.messages.create(text);
    const error = await failureOf(other.messages.create(text));
    expect(error).toBeInstanceOf(client.HubBlockedError);
    expect(error).toMatchObject({ retryAfterSeconds: 300 });
    const { hub, clock } = timedClient({ ...account, waitWhenBlocked: true, ...untimed });
    const posted = hub.messages.create(text);
    await clock.untilSleeping();
    server.clock.advance(300_000);
    clock.advance(300_000);
    expect((await posted).id).toStartWith('msg_');
    expect(await postCount(issued)).toBe(61);
  });
});

test('the built client does the same on Node', async () => {
  using built = temporaryFolder();
  await bundle(built.path, 'esm', 'mjs');
  await Bun.build({ entrypoints: [join(import.meta.dir, '../behaviours.ts')], outdir: built.path, target: 'node' });
  const { key } = await issueKey();
  const trial = { entry: built.file('index.mjs'), url: server.url, key, tls };
  const env = { HUB_TRIAL: JSON.stringify(trial) };
  const { stdout, stderr, code } = await runProgram(['node', built.file('behaviours.js')], { env });
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  expect(JSON.parse(stdout)).toEqual(Object.fromEntries(Object.keys(behaviours).map((name) => [name, null])));
}, 180_000);
