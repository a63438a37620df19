import { describe, expect, test } from 'bun:test';
import { isPostgresInstalled, openPostgresUnderTest } from '../../../test/support/postgres-under-test.ts';
import { describeSearch } from '../contract-suite/search-contract.ts';
import { termsIn } from './search.ts';

describe.skipIf(!isPostgresInstalled)('PostgreSQL', () => {
  describeSearch('PostgreSQL', async () => {
    const { store, dispose } = await openPostgresUnderTest();
    return { store, find: (query) => store.search.find(query), dispose };
  });
});

test('words that PostgreSQL cannot store are cut, but never within a character', () => {
  expect(termsIn('a'.repeat(3_000))).toEqual(['a'.repeat(255)]);
  expect(termsIn(`a${'𝒳'.repeat(200)}`)[0]).toBe(`a${'𝒳'.repeat(127)}`);
});
