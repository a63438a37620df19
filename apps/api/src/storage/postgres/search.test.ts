import { expect, test } from 'bun:test';
import { openPostgresUnderTest } from '@hub/testkit/in-process/postgres-under-test';
import { onlyOnPostgres } from '@hub/testkit/in-process/test-storage';
import { describeSearch } from '../contract-suite/search-contract.ts';
import { termsIn } from './search.ts';

onlyOnPostgres.describe('PostgreSQL', () => {
  describeSearch('PostgreSQL', async () => {
    const { store, dispose } = await openPostgresUnderTest();
    return { store, find: (query) => store.search.find(query, 'ada'), dispose };
  });
});

test('words that PostgreSQL cannot store are cut, but never within a character', () => {
  expect(termsIn('a'.repeat(3_000))).toEqual(['a'.repeat(255)]);
  expect(termsIn(`a${'𝒳'.repeat(200)}`)[0]).toBe(`a${'𝒳'.repeat(127)}`);
});
