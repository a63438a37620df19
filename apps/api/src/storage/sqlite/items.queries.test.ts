import { openSqliteUnderTest } from '../../testing/sqlite-under-test.ts';
import type { OpenStoreUnderTest } from '../../testing/store-subject.ts';
import { describeItemLists } from '../item-lists-store-contract.ts';
import { describeItemStore } from '../item-store-contract.ts';
import { describeMentions } from '../mention-store-contract.ts';
import { describeThreads } from '../thread-store-contract.ts';

const inline: OpenStoreUnderTest = async (options) => openSqliteUnderTest(undefined, options);
const threaded: OpenStoreUnderTest = async (options) =>
  openSqliteUnderTest(undefined, { ...options, writerThread: true });

for (const [name, open] of [
  ['SQLite', inline],
  ['SQLite with a thread that writes', threaded],
] as const) {
  describeItemStore(name, open);
  describeThreads(name, open);
  describeItemLists(name, open);
  describeMentions(name, open);
}
