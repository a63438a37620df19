import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import { failureOf, until } from '@hub/testkit/concurrency';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { onlyOnPostgres } from '@hub/testkit/in-process/test-storage';
import { newKey, newPost } from '../../../test/store/records.ts';
import { openPostgresUnderTest, type PostgresUnderTest } from '../../../test/store/under-test.ts';
import { addUsage, insertHub, insertKey, insertPost } from '../../../test/store/writes.ts';
import type { CommitReport } from '../commit-report.ts';
import { termsIn } from './search.ts';

setDefaultTimeout(180_000);

onlyOnPostgres.describe('posts at the same moment', () => {
  let subject: PostgresUnderTest;
  let commits: CommitReport[];
  let clock: TestClock;
  beforeEach(async () => {
    commits = [];
    clock = new TestClock();
    subject = await openPostgresUnderTest({ clock, onCommit: (report) => commits.push(report) });
  });
  afterEach(() => subject[Symbol.asyncDispose]());
  const issueKey = async (hubId?: string) =>
    insertKey(subject.store, newKey(hubId ?? (await insertHub(subject.store)).id));

  test('share transactions, and are numbered and counted in the order in which they came', async () => {
    const [hub, other] = [await insertHub(subject.store), await insertHub(subject.store)];
    const keys = [await issueKey(hub.id), await issueKey(hub.id), await issueKey(other.id)] as const;
    const posts = Array.from({ length: 60 }, (_, n) => {
      const key = keys[n % 3] ?? keys[0];
      return newPost(key, { body: `Post ${n}`, createdAt: 1_000 + n, address: `192.0.2.${n}` });
    });
    commits = [];
    const written = await Promise.all(posts.map((post) => insertPost(subject.store, post)));
    expect(commits.length).toBeLessThan(5);
    const seqs = written.map(({ seq }) => seq);
    expect(seqs).toEqual(posts.map((_, n) => (n % 3 === 2 ? (n - 2) / 3 + 1 : n - Math.floor(n / 3) + 1)));
    const ofHub = posts.filter((_, n) => n % 3 !== 2).map(({ id }) => id);
    expect((await subject.itemsOf(hub.id)).map(({ id }) => id)).toEqual(ofHub);
    expect((await subject.eventsOf(hub.id)).map(({ itemId }) => itemId)).toEqual(ofHub);
    const reported = commits.flatMap((report) => report.posts.filter(({ hubId }) => hubId === hub.id));
    expect(reported.map(({ id, seq }) => [id, seq])).toEqual(ofHub.map((id, n) => [id, n + 1]));
    const globalSeqs = reported.map(({ globalSeq }) => globalSeq);
    expect(globalSeqs).toEqual(globalSeqs.toSorted((a, b) => a - b));
    expect(Object.fromEntries(commits.at(-1)?.heads ?? [])).toEqual({ [hub.id]: 40, [other.id]: 20 });
    const lastUse = { postCount: 20, lastUsedAt: 1_057, lastUsedAddress: '192.0.2.57' };
    expect(await subject.store.keys.find(keys[0].id)).toMatchObject(lastUse);
    expect(await subject.store.items.find(posts[4]?.id ?? '')).toMatchObject({ body: 'Post 4', keyId: keys[1].id });
  });

  test('are rejected one by one if their key was revoked or their Hub was deleted', async () => {
    const [revoked, deleted, good] = [await issueKey(), await issueKey(), await issueKey()];
    await subject.store.transaction(({ keys }) => keys.update(revoked.id, { revokedAt: 1 }));
    await subject.store.transaction(({ hubs }) => hubs.update(deleted.hubId, { deletedAt: 1 }));
    const [one, two, three, four] = [good, revoked, deleted, good].map((key) =>
      insertPost(subject.store, newPost(key)),
    );
    expect(await failureOf(two as Promise<unknown>)).toMatchObject({ code: 'unauthenticated' });
    expect(await failureOf(three as Promise<unknown>)).toMatchObject({ code: 'not_found' });
    expect([(await one)?.seq, (await four)?.seq]).toEqual([1, 2]);
    for (const { hubId } of [revoked, deleted]) expect(await subject.eventsOf(hubId)).toEqual([]);
  });

  test('and the usage of their keys are written without reading all keys', async () => {
    const keys = [await issueKey(), await issueKey()];
    const others = newKey(keys[0]?.hubId ?? '');
    await insertKey(subject.store, others);
    const [{ columns }] = await subject.database`SELECT string_agg(column_name, ',') AS columns
      FROM information_schema.columns WHERE table_name = 'api_keys' AND column_name NOT IN ('id', 'token_hash')`;
    await subject.database.unsafe(`INSERT INTO api_keys (id, token_hash, ${columns})
      SELECT 'key_' || n, n::text::bytea, ${columns} FROM api_keys, generate_series(1, 3000) n WHERE id = '${others.key.id}'`);
    await subject.database`ANALYZE api_keys`;
    const scans = async () => {
      // A connection reports what it has done when it is closed.
      subject = await subject.reopen();
      return (await subject.database`SELECT seq_scan FROM pg_stat_user_tables WHERE relname = 'api_keys'`)[0].seq_scan;
    };
    const before = await scans();
    await Promise.all(keys.flatMap((key) => Array.from({ length: 30 }, () => insertPost(subject.store, newPost(key)))));
    const use = { address: '192.0.2.1', lastUsedAt: 1, requests: 1 };
    const tally = { requestCount: 1, lastUsedAt: 1, lastUsedAddress: use.address, addresses: [use] };
    await addUsage(subject.store, new Map(keys.map(({ id }) => [id, tally])));
    expect(await scans()).toBe(before);
  });

  test('have their terms merged into the index from time to time, which no post waits for', async () => {
    const key = await issueKey();
    for (let n = 0; n < 20; n += 1) {
      const posts = Array.from({ length: 100 }, (_, i) => newPost(key, { body: `Word${n} ${i}` }));
      await Promise.all(posts.map((post) => insertPost(subject.store, post)));
    }
    // The part left to merge: https://www.postgresql.org/docs/current/pgstattuple.html
    await subject.database`CREATE EXTENSION IF NOT EXISTS pgstattuple`;
    const isMerged = async () => {
      const [index] = await subject.database`SELECT pending_tuples FROM pgstatginindex('item_terms_by_word')`;
      return Number(index.pending_tuples) === 0;
    };
    expect(await until(60_000, isMerged)).toBe(true);
  });

  test('are stored if their words exceed what PostgreSQL can index, and found by the first ones', async () => {
    const key = await issueKey();
    const body = Array.from({ length: 3_000 }, (_, n) => `${n}${'ﷲ'.repeat(62)}`).join(' ');
    await insertPost(subject.store, newPost(key, { kind: 'note', body }));
    const terms = [{ text: `7${'ﷲ'.repeat(62)}`, isPrefix: false }];
    expect(await subject.store.search.find({ terms, hubIds: [key.hubId], limit: 10 }, 'ada')).toHaveLength(1);
  });

  test('wait for a table that is locked for longer than a Hub may be', async () => {
    const key = await issueKey();
    let waiting: Promise<unknown> = Promise.resolve();
    await subject.database.begin(async (tx) => {
      await tx`LOCK TABLE items IN SHARE MODE`;
      waiting = insertPost(subject.store, newPost(key));
      await tx`SELECT pg_sleep(0.4)`;
    });
    expect(await waiting).toMatchObject({ seq: 1 });
  });

  test('have connections of their own, also if many posts and changes wait for Hubs that are locked', async () => {
    const locked = await Promise.all([issueKey(), issueKey(), issueKey()]);
    const free = await issueKey();
    const hubIds = locked.map(({ hubId }) => hubId);
    let waiting: Promise<unknown>[] = [];
    await subject.database.begin(async (tx) => {
      await tx`SELECT FROM hubs WHERE id IN ${subject.database(hubIds)} FOR UPDATE`;
      const changes = Array.from({ length: 12 }, (_, n) =>
        subject.store.transaction(({ hubs }) => hubs.find(hubIds[n % 3] ?? ''), `user ${n}`),
      );
      waiting = [...changes, ...locked.map((key) => insertPost(subject.store, newPost(key)))];
      // The first one shares the transaction of the others, whose Hubs are locked.
      for (const seq of [1, 2, 3]) expect(await insertPost(subject.store, newPost(free))).toMatchObject({ seq });
    });
    await Promise.all(waiting);
    for (const { hubId } of locked) expect(await subject.eventsOf(hubId)).toHaveLength(1);
  });
});

test('words that PostgreSQL cannot store are cut, but never within a character', () => {
  expect(termsIn('a'.repeat(3_000))).toEqual(['a'.repeat(255)]);
  expect(termsIn(`a${'𝒳'.repeat(200)}`)[0]).toBe(`a${'𝒳'.repeat(127)}`);
});
