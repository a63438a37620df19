import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scope } from '@hub/contract';
import { behaviours } from '@hub/testkit/client/behaviours/all';
import type { Trial } from '@hub/testkit/client/behaviours/trial';
import { timedClient } from '@hub/testkit/client/timed-client';
import { pemOf } from '@hub/testkit/in-process/listening';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { buildClient } from '../build.ts';
import * as client from './index.ts';

const tls = {
  cert: readFileSync(pemOf('first', 'cert'), 'utf8'),
  key: readFileSync(pemOf('first', 'key'), 'utf8'),
};

let testHub: TestHub;
let server: Trial['server'];
let control: Bun.Server<undefined>;
let built: string;

beforeAll(async () => {
  testHub = await startTestHub();
  server = serverOf(testHub);
  control = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { action, args } = (await request.json()) as { action: keyof Trial['server']; args: never[] };
      const perform = server[action] as (...args: never[]) => Promise<unknown>;
      // JSON turns undefined into null.
      return Response.json({ result: (await perform(...(args.map((arg) => arg ?? undefined) as never[]))) ?? null });
    },
  });
  built = await mkdtemp(join(tmpdir(), 'hub-client-'));
});

afterAll(async () => {
  await control.stop(true);
  await testHub[Symbol.asyncDispose]();
  await rm(built, { recursive: true, force: true });
});

function serverOf({ admin, clock }: TestHub): Trial['server'] {
  return {
    issueKey: async (scopes) => {
      const hub = await admin.createHub();
      return await admin.issueKey({ hubId: hub.id, ...(scopes ? { scopes: scopes as Scope[] } : {}) });
    },
    revokeKey: async (id) => void (await admin.revokeKey(id)),
    deleteHub: async (id) => void (await admin.deleteHub(id)),
    postCount: async (id) => (await admin.showKey(id)).postCount,
    advance: async (ms) => clock.advance(ms),
  };
}

describe('the client on Bun, against the real server', () => {
  for (const [name, behave] of Object.entries(behaviours)) {
    test(name, () => behave({ client, timedClient, url: testHub.url, tls, server }));
  }
});

describe('the built client on Node, against the real server', () => {
  const outcomes = new Map<string, string | null>();

  beforeAll(async () => {
    await buildClient(join(built, 'client'));
    await Bun.build({
      entrypoints: [join(import.meta.dir, '../../testkit/src/client/run-behaviours.ts')],
      outdir: built,
      target: 'node',
    });
    const node = Bun.spawn(['node', join(built, 'run-behaviours.js')], {
      env: {
        PATH: process.env.PATH,
        HUB_CLIENT_ENTRY: join(built, 'client/index.js'),
        HUB_TRIAL_URL: testHub.url,
        HUB_TRIAL_CONTROL: control.url.href,
        HUB_TRIAL_TLS: JSON.stringify(tls),
      },
      stderr: 'inherit',
    });
    for (const line of (await node.stdout.text()).trim().split('\n')) {
      const { name, failure } = JSON.parse(line);
      outcomes.set(name, failure);
    }
    expect(await node.exited).toBe(0);
  }, 60_000);

  for (const name of Object.keys(behaviours)) {
    test(name, () => expect(outcomes.get(name)).toBe(null));
  }
});
