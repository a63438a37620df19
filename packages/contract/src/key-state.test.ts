import { describe, expect, test } from 'bun:test';
import { currentState, isValid, keyState, validUntil } from './key-state.ts';
import type { ApiKey } from './workspace.ts';

const KEY = { expiresAt: null, overlapEndsAt: null, revokedAt: null, blockedUntil: null, successorId: null };

describe('the validity of a key', () => {
  test('ends at the earlier of its expiry and the end of its overlap', () => {
    expect(validUntil(KEY)).toBeNull();
    expect(validUntil({ ...KEY, expiresAt: 10 })).toBe(10);
    expect(validUntil({ ...KEY, overlapEndsAt: 20 })).toBe(20);
    expect(validUntil({ ...KEY, expiresAt: 10, overlapEndsAt: 20 })).toBe(10);
    expect(validUntil({ ...KEY, expiresAt: 20, overlapEndsAt: 10 })).toBe(10);
  });

  test('lasts until the key expires, and ends immediately when the key is revoked', () => {
    expect(isValid({ ...KEY, expiresAt: 10 }, 9)).toBe(true);
    expect(isValid({ ...KEY, expiresAt: 10 }, 10)).toBe(false);
    expect(isValid({ ...KEY, revokedAt: 5 }, 4)).toBe(false);
  });
});

test('keyState returns a final state rather than a block, and a block rather than a rotation', () => {
  const all = { expiresAt: 10, overlapEndsAt: 10, revokedAt: 5, blockedUntil: 10, successorId: 'key_2' };
  expect(keyState(all, 10)).toBe('revoked');
  expect(keyState({ ...all, revokedAt: null }, 10)).toBe('expired');
  expect(keyState({ ...all, revokedAt: null }, 9)).toBe('blocked');
  expect(keyState({ ...all, revokedAt: null, blockedUntil: 9 }, 9)).toBe('rotated');
  expect(keyState(KEY, 9)).toBe('active');
});

describe('a key from an earlier response', () => {
  const at = (ms: number) => new Date(ms).toISOString();
  const described = (over: Partial<ApiKey>) => ({ ...KEY, state: 'active', ...over }) as ApiKey;

  test('has the state that follows from its times and the current time', () => {
    expect(currentState(described({ expiresAt: at(10) }), 9)).toBe('active');
    expect(currentState(described({ expiresAt: at(10) }), 10)).toBe('expired');
    expect(currentState(described({ state: 'blocked', blockedUntil: at(10) }), 9)).toBe('blocked');
    expect(currentState(described({ state: 'blocked', blockedUntil: at(10) }), 10)).toBe('active');
    expect(currentState(described({ state: 'rotated', successorId: 'key_2', overlapEndsAt: at(10) }), 9)).toBe(
      'rotated',
    );
    expect(currentState(described({ state: 'rotated', successorId: 'key_2', overlapEndsAt: at(10) }), 10)).toBe(
      'expired',
    );
  });
});
