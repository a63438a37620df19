import { describe, expect, test } from 'bun:test';
import { openSqliteUnderTest } from '@hub/testkit/in-process/sqlite-under-test';
import { describeStore } from '../contract-suite/store-contract.ts';
import type { KeyCredential } from '../keys.ts';
import { CredentialCache } from './credential-cache.ts';

describeStore('SQLite', async () => openSqliteUnderTest());

const credential = { id: 'key_1' } as KeyCredential;
const hash = (byte: number) => new Uint8Array(32).fill(byte);

describe('the credential cache', () => {
  test('reads a key once, and again only after a commit that may have changed keys', () => {
    const cache = new CredentialCache();
    let reads = 0;
    const read = () => {
      reads += 1;
      return credential;
    };
    expect(cache.find(hash(1), read)).toBe(credential);
    expect(cache.find(hash(1), read)).toBe(credential);
    expect(reads).toBe(1);
    cache.committed();
    cache.find(hash(1), read);
    expect(reads).toBe(1);
    cache.invalidate();
    cache.committed();
    cache.find(hash(1), read);
    expect(reads).toBe(2);
  });

  test('does not cache unknown keys, so a key issued later is found', () => {
    const cache = new CredentialCache();
    expect(cache.find(hash(1), () => null)).toBeNull();
    expect(cache.find(hash(1), () => credential)).toBe(credential);
  });
});
