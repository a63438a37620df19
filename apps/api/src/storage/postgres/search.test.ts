import { expect, test } from 'bun:test';
import { openPostgresUnderTest } from '../../../test/support/postgres-under-test.ts';
import { onlyOnPostgres } from '../../../test/support/test-storage.ts';
import { describeSearch } from '../contract-suite/search-contract.ts';
import { termsIn } from './search.ts';

onlyOnPostgres.describe('PostgreSQL', () => {
  describeSearch('PostgreSQL', async () => {
    const { store, dispose } = await openPostgresUnderTest();
    return { store, find: (query) => store.search.find(query), dispose };
  });
});

test('words that PostgreSQL cannot store are cut, but never within a character', () => {
  expect(termsIn('a'.repeat(3_000))).toEqual(['a'.repeat(255)]);
  expect(termsIn(`a${'𝒳'.repeat(200)}`)[0]).toBe(`a${'𝒳'.repeat(127)}`);
});
