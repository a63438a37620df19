import { describe, expect, test } from 'bun:test';
import { isValid, keyState, validUntil } from './key-state.ts';

const KEY = { expiresAt: null, overlapEndsAt: null, revokedAt: null, successorId: null };

describe('the validity of a key', () => {
  test('ends at the earlier of its expiry and the end of its overlap', () => {
    expect(validUntil(KEY)).toBeNull();
    expect(validUntil({ ...KEY, expiresAt: 10 })).toBe(10);
    expect(validUntil({ ...KEY, overlapEndsAt: 20 })).toBe(20);
    expect(validUntil({ ...KEY, expiresAt: 10, overlapEndsAt: 20 })).toBe(10);
    expect(validUntil({ ...KEY, expiresAt: 20, overlapEndsAt: 10 })).toBe(10);
  });

  test('holds while now is before the end, and never once it is revoked', () => {
    expect(isValid({ ...KEY, expiresAt: 10 }, 9)).toBe(true);
    expect(isValid({ ...KEY, expiresAt: 10 }, 10)).toBe(false);
    expect(isValid({ ...KEY, revokedAt: 5 }, 4)).toBe(false);
  });
});

test('of several things that are true of a key, the one that ends it is shown before the one that hinders it', () => {
  const all = { expiresAt: 10, overlapEndsAt: 10, revokedAt: 5, successorId: 'key_2' };
  expect(keyState(all, 10, 1)).toBe('revoked');
  expect(keyState({ ...all, revokedAt: null }, 10, 1)).toBe('expired');
  expect(keyState({ ...all, revokedAt: null }, 9, 1)).toBe('blocked');
  expect(keyState({ ...all, revokedAt: null }, 9, 0)).toBe('rotated');
  expect(keyState(KEY, 9, 0)).toBe('active');
});
