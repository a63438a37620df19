import { expect, test } from 'bun:test';
import { tokenState } from './token-state.ts';

const END = '2026-03-15T12:00:00.000Z';
const at = (iso: string) => tokenState({ expiresAt: END }, Date.parse(iso));

test('warns starting 14 days before a token expires, and treats it as expired from the instant of its expiry', () => {
  expect(tokenState({ expiresAt: null }, 0)).toEqual({ state: 'active' });
  expect(at('2026-03-01T11:59:59.999Z')).toEqual({ state: 'active' });
  expect(at('2026-03-01T12:00:00.000Z')).toEqual({ state: 'soon', days: 14 });
  expect(at('2026-03-15T11:59:59.999Z')).toEqual({ state: 'soon', days: 1 });
  expect(at(END)).toEqual({ state: 'expired' });
});
