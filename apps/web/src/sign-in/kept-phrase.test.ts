import { expect, test } from 'bun:test';
import { keptPhrase } from './kept-phrase.ts';

test.each([
  [{ unsent: 0, draft: 0 }, ''],
  [{ unsent: 1, draft: 0 }, '1 message that was not sent'],
  [{ unsent: 0, draft: 1 }, '1 draft'],
  [{ unsent: 3, draft: 2 }, '3 messages that were not sent and 2 drafts'],
])('of %j it says %j', (kept, phrase) => {
  expect(keptPhrase(kept)).toBe(phrase);
});
