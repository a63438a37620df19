import { expect, test } from 'bun:test';
import { keptText } from './kept-text.ts';

test('what is kept is counted by what it is', () => {
  expect(keptText(['hub.theme'])).toContain('Nothing you have written');
  expect(keptText(['hub.draft.usr_1.hub_1', 'hub.outbox.usr_1.a', 'hub.outbox.usr_1.b'])).toBe(
    "Saved in this browser until you're back: 2 messages that were not sent and 1 draft.",
  );
});
