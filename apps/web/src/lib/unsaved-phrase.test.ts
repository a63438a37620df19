import { expect, test } from 'bun:test';
import { unsavedPhrase } from './unsaved-phrase.ts';

test.each([
  [{ unsent: 0, draft: 0 }, ''],
  [{ unsent: 1, draft: 0 }, '1 unsent message'],
  [{ unsent: 0, draft: 1 }, '1 draft'],
  [{ unsent: 3, draft: 2 }, '3 unsent messages and 2 drafts'],
])('describes %j as %j', (kept, phrase) => {
  expect(unsavedPhrase(kept)).toBe(phrase);
});
