import { Database } from 'bun:sqlite';
import { afterAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { post, startTestHub } from '../../testing/start-test-hub.ts';
import { DATABASE_FILE } from '../sqlite/open-store.ts';
import { SEARCH_FILE, SearchIndex } from './search-index.ts';

const hub = await startTestHub();
afterAll(() => hub[Symbol.asyncDispose]());
const { id: hubId } = await hub.admin.createHub();

async function postAll(texts: string[]): Promise<void> {
  for (const text of texts) {
    const { key } = await hub.admin.issueKey({ hubId });
    expect((await post(hub, 'messages', key, { text })).status).toBe(201);
  }
}

const openIndex = () => new SearchIndex(hub.dataDir, DATABASE_FILE);

function followToTheEnd(index: SearchIndex): void {
  while (index.followRun());
}

describe('the search index', () => {
  test('finds an item by its words, in any order, with diacritics folded', async () => {
    await postAll(['Le résumé du déploiement', 'nothing of the kind']);
    using index = disposable(openIndex());
    followToTheEnd(index.of);
    expect(index.of.find(['deploiement', 'resume'], 10)).toHaveLength(1);
    expect(index.of.find(['absent'], 10)).toEqual([]);
  });

  test('reads what blocks say and not their markup', async () => {
    const { key } = await hub.admin.issueKey({ hubId });
    const blocks = [{ type: 'paragraph', data: { text: 'a <b>zebracrossing</b>' } }];
    expect((await post(hub, 'messages', key, { blocks })).status).toBe(201);
    using index = disposable(openIndex());
    followToTheEnd(index.of);
    expect(index.of.find(['zebracrossing'], 10)).toHaveLength(1);
    expect(index.of.find(['paragraph'], 10)).toEqual([]);
  });

  test('takes operators and quotes in a query for words', async () => {
    await postAll(['say "hello" OR goodbye']);
    using index = disposable(openIndex());
    followToTheEnd(index.of);
    expect(index.of.find(['"hello"'], 10)).toHaveLength(1);
    expect(index.of.find(['NEAR(', '*'], 10)).toEqual([]);
  });

  test('goes on from where it stood, and holds each item once', async () => {
    await postAll(['wanderfalke one']);
    const first = openIndex();
    followToTheEnd(first);
    first.close();
    await postAll(['wanderfalke two']);
    using index = disposable(openIndex());
    followToTheEnd(index.of);
    expect(index.of.find(['wanderfalke'], 10)).toHaveLength(2);
  });

  test('is built again when it is ahead of the items, as after a snapshot was put back', async () => {
    await postAll(['basilisk']);
    const ahead = openIndex();
    followToTheEnd(ahead);
    ahead.close();
    const raw = new Database(join(hub.dataDir, SEARCH_FILE));
    raw.exec('UPDATE position SET rank = rank + 1000; DELETE FROM items_search');
    raw.close();
    using index = disposable(openIndex());
    followToTheEnd(index.of);
    expect(index.of.find(['basilisk'], 10)).toHaveLength(1);
  });

  test('is built again when its file is damaged', async () => {
    await postAll(['phoenix']);
    writeFileSync(join(hub.dataDir, SEARCH_FILE), 'this is no database');
    using index = disposable(openIndex());
    followToTheEnd(index.of);
    expect(index.of.find(['phoenix'], 10)).toHaveLength(1);
  });
});

function disposable(index: SearchIndex) {
  return { of: index, [Symbol.dispose]: () => index.close() };
}
