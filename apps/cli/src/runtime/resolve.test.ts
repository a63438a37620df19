import { expect, test } from 'bun:test';
import type { ApiKey } from '@hub/contract';
import { canRotate, isLive } from './resolve.ts';

const key = (fields: Partial<ApiKey>) => ({ state: 'active', successorId: null, ...fields }) as ApiKey;

test('an active or blocked key without a successor can be rotated', () => {
  expect(canRotate(key({}))).toBe(true);
  expect(canRotate(key({ state: 'blocked' }))).toBe(true);
  expect(canRotate(key({ state: 'blocked', successorId: 'key_2' }))).toBe(false);
  for (const state of ['rotated', 'expired', 'revoked'] as const) expect(canRotate(key({ state }))).toBe(false);
});

test('a key is live until it is revoked or expired, even after a rotation', () => {
  for (const state of ['active', 'blocked', 'rotated'] as const) expect(isLive(key({ state }))).toBe(true);
  for (const state of ['expired', 'revoked'] as const) expect(isLive(key({ state }))).toBe(false);
});
