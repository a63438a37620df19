import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scope } from '@hub/contract';
import { failureOf, isPending } from '@hub/testkit/concurrency';
import { pemOf } from '@hub/testkit/in-process/certificates';
import { shared } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { behaviours } from '../behaviours.ts';
import { buildClient } from '../build.ts';
import { timedClient } from '../test/timed-client.ts';
import * as client from './index.ts';

const server = shared(startTestHub);
const text = { text: 'x' };
const untimed = { timeoutMs: Number.POSITIVE_INFINITY };
const tls = {
  cert: readFileSync(pemOf('first', 'cert'), 'utf8'),
  key: readFileSync(pemOf('first', 'key'), 'utf8'),
};

/** Issues a key for a new Hub. */
async function issueKey(scopes?: Scope[]) {
  const { id: hubId } = await server.admin.createHub();
  return server.admin.issueKey({ hubId, ...(scopes && { scopes }) });
}

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

describe('the built client on Node, against the real server', () => {
  let failures: Record<string, string | null> = {};
  let built = '';

  beforeAll(async () => {
    built = await mkdtemp(join(tmpdir(), 'hub-client-'));
    await buildClient(join(built, 'client'));
    await Bun.build({ entrypoints: [join(import.meta.dir, '../behaviours.ts')], outdir: built, target: 'node' });
    const { key } = await issueKey();
    const trial = { entry: join(built, 'client/index.js'), url: server.url, key, tls };
    const node = Bun.spawn(['node', join(built, 'behaviours.js')], {
      env: { PATH: process.env.PATH, HUB_TRIAL: JSON.stringify(trial) },
      stderr: 'inherit',
    });
    failures = JSON.parse(await node.stdout.text());
    expect(await node.exited).toBe(0);
  }, 180_000);

  afterAll(() => rm(built, { recursive: true, force: true }));

  for (const name of Object.keys(behaviours)) {
    test(name, () => expect(failures[name]).toBe(null));
  }
});
