import { openSqliteUnderTest } from '../../../test/support/sqlite-under-test.ts';
import type { OpenStoreUnderTest } from '../../../test/support/store-subject.ts';
import { describeItemLists } from '../item-lists-store-contract.ts';
import { describeItemStore } from '../item-store-contract.ts';
import { describeMentions } from '../mention-store-contract.ts';

const open: OpenStoreUnderTest = async (options) => openSqliteUnderTest(undefined, options);

describeItemStore('SQLite', open);
describeItemLists('SQLite', open);
describeMentions('SQLite', open);
