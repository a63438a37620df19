import { afterEach, beforeEach, expect, test } from 'bun:test';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IssuedKey } from '@hub/contract';
import { LedgerLog, postWithText, readLedger, sentPost } from './ledger.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hub-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const keys = ['key_1', 'key_2', 'key_3', 'key_4'].map((id) => ({ id, key: `hub_live_${id}` }) as IssuedKey);

test('an appended entry is written to the file, which only its owner can read', async () => {
  const file = join(folder, 'log');
  const log = new LedgerLog(file);
  await Promise.all(keys.map((key) => log.append({ type: 'key', key })));
  const entries = Array.from({ length: 500 }, async (_, n) => {
    await log.append({ type: 'acknowledged', id: `msg_${n}`, serial: n + 1 });
    expect(readFileSync(file, 'utf8')).toContain(`"msg_${n}"`);
  });
  await Promise.all(entries);
  log.close();
  const ledger = readLedger(file);
  expect(ledger.keys).toEqual(keys);
  expect(ledger.acknowledged.size).toBe(500);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('an incomplete line is ignored', async () => {
  const file = join(folder, 'log');
  const log = new LedgerLog(file);
  await log.append({ type: 'acknowledged', id: 'msg_1', serial: 1 });
  log.close();
  appendFileSync(file, '{"type":"acknowledged","id":"msg_2","serial":2}');
  expect([...readLedger(file).acknowledged.keys()]).toEqual(['msg_1']);
});

test('postWithText finds every sent post by its text, and nothing else', async () => {
  const file = join(folder, 'log');
  const log = new LedgerLog(file);
  for (const key of keys) await log.append({ type: 'key', key });
  await log.append({ type: 'sending', upTo: 10 });
  log.close();
  const ledger = readLedger(file);
  for (let serial = 1; serial <= 10; serial += 1) {
    const { text, kind, keyId } = sentPost(keys, serial);
    expect(postWithText(ledger, text)).toMatchObject({ kind, keyId });
    expect(postWithText(ledger, `${text}x`)).toBeUndefined();
  }
  expect(postWithText(ledger, sentPost(keys, 11).text)).toBeUndefined();
  expect(postWithText(ledger, 'Hello')).toBeUndefined();
});
