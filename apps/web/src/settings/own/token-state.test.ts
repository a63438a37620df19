import { expect, test } from 'bun:test';
import { tokenState } from './token-state.ts';

const END = '2026-03-15T12:00:00.000Z';
const at = (iso: string) => tokenState({ expiresAt: END }, Date.parse(iso));

test('a token lasts, warns from fourteen days before its end on, and is over at that very moment', () => {
  expect(tokenState({ expiresAt: null }, 0)).toEqual({ state: 'lasting' });
  expect(at('2026-03-01T11:59:59.999Z')).toEqual({ state: 'active' });
  expect(at('2026-03-01T12:00:00.000Z')).toEqual({ state: 'soon', days: 14 });
  expect(at('2026-03-15T11:59:59.999Z')).toEqual({ state: 'soon', days: 1 });
  expect(at(END)).toEqual({ state: 'expired' });
});
