import { expect, test } from 'bun:test';
import { onlyOnPostgres } from '@hub/testkit/in-process/test-storage';
import { newKey, newPost } from '../../../test/store/records.ts';
import { openPostgresUnderTest } from '../../../test/store/under-test.ts';
import { insertHub, insertKey, insertPost } from '../../../test/store/writes.ts';
import { termsIn } from './search.ts';

onlyOnPostgres.test(
  'a text whose words exceed what PostgreSQL can index is stored, and found by its first words',
  async () => {
    const subject = await openPostgresUnderTest();
    const { id: hubId } = await insertHub(subject.store);
    const key = await insertKey(subject.store, newKey(hubId));
    const body = Array.from({ length: 3_000 }, (_, n) => `${n}${'ﷲ'.repeat(62)}`).join(' ');
    await insertPost(subject.store, newPost(key, { kind: 'note', body }));
    const terms = [{ text: `7${'ﷲ'.repeat(62)}`, isPrefix: false }];
    expect(await subject.store.search.find({ terms, hubIds: [hubId], limit: 10 }, 'ada')).toHaveLength(1);
    await subject.dispose();
  },
);

test('words that PostgreSQL cannot store are cut, but never within a character', () => {
  expect(termsIn('a'.repeat(3_000))).toEqual(['a'.repeat(255)]);
  expect(termsIn(`a${'𝒳'.repeat(200)}`)[0]).toBe(`a${'𝒳'.repeat(127)}`);
});
