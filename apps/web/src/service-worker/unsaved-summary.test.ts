import { expect, test } from 'bun:test';
import { unsavedSummary } from './unsaved-summary.ts';

test('counts unsent messages and drafts', () => {
  expect(unsavedSummary(['hub.theme'])).toContain('You have no unsent messages');
  expect(unsavedSummary(['hub.draft.usr_1.hub_1', 'hub.outbox.usr_1.a', 'hub.outbox.usr_1.b'])).toBe(
    'Saved in this browser until you’re back: 2 unsent messages and 1 draft.',
  );
});
