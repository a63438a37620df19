import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appErrorOf, fillDatabase } from '../../testing/filled-database.ts';
import { openSqliteUnderTest } from '../../testing/sqlite-under-test.ts';
import { hubRecord, testAudit } from '../../testing/store-records.ts';

let dataDir: string;
let file: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'hub-inspect-'));
  file = join(dataDir, 'hub.db');
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const makeDatabase = (): Promise<string> => fillDatabase(dataDir);
const error = (): string => appErrorOf(dataDir);

describe('a damaged database is refused and left untouched', () => {
  test('one that was cut short', async () => {
    await makeDatabase();
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.subarray(0, Math.floor(bytes.length / 2)));
    expect(error()).toMatch(/is damaged.*put a backup in its place.*snapshots/s);
    expect(statSync(file).size).toBe(Math.floor(bytes.length / 2));
  });

  test('one with an index that says another thing than its table', async () => {
    const hubId = await makeDatabase();
    const database = new Database(file, { readonly: true });
    const roots = database.query("SELECT rootpage FROM sqlite_schema WHERE type = 'index'").values() as number[][];
    database.close();
    const bytes = readFileSync(file);
    const places = roots.flatMap(([page = 0]) => {
      const start = (page - 1) * 4096;
      const found = bytes.indexOf(hubId, start);
      return found > 0 && found < start + 4096 ? [found] : [];
    });
    bytes.write('!', (places[0] ?? 0) + hubId.length - 1);
    writeFileSync(file, bytes);
    expect(error()).toMatch(/is damaged \(row \d+ missing from index/);
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  test('one that was cut in its last page', async () => {
    await makeDatabase();
    const bytes = readFileSync(file);
    for (const missing of [1, 100, 4095]) {
      writeFileSync(file, bytes.subarray(0, -missing));
      expect(error()).toMatch(/is damaged/);
    }
  });

  test('one that was emptied, but not one that a first start could not fill', async () => {
    writeFileSync(file, '');
    await openSqliteUnderTest(dataDir).store.close();
    writeFileSync(file, '');
    expect(error()).toMatch(/is damaged \(it is empty, though a server has run here; to begin anew.*put a backup/s);
    expect(readFileSync(file)).toHaveLength(0);
  });

  test('one that is gone from a folder in which a server has run', async () => {
    await openSqliteUnderTest(dataDir).store.close();
    rmSync(file);
    expect(error()).toMatch(
      /is damaged \(it is missing, though a server has run here; to begin anew, move the whole folder/,
    );
    expect(existsSync(file)).toBe(false);
  });

  test('one that is gone while its log is there', async () => {
    const subject = openSqliteUnderTest(dataDir);
    await subject.store.hubs.create(hubRecord(), testAudit());
    const gone = mkdtempSync(join(tmpdir(), 'hub-gone-'));
    cpSync(join(dataDir, 'hub.db-wal'), join(gone, 'hub.db-wal'));
    expect(() => openSqliteUnderTest(gone)).toThrow('it is missing, while its log is there');
    expect(statSync(join(gone, 'hub.db-wal')).size).toBeGreaterThan(0);
    await subject.dispose();
    rmSync(gone, { recursive: true });
  });

  test('one with pages overwritten anywhere', async () => {
    await makeDatabase();
    const bytes = readFileSync(file);
    const pages = bytes.length / 4096;
    for (const page of [1, 2, Math.floor(pages / 2), pages - 1]) {
      const damaged = Buffer.from(bytes);
      damaged.fill(0xa5, page * 4096, page * 4096 + 4096);
      writeFileSync(file, damaged);
      expect(error()).toMatch(/is damaged \(\S.*\)\. Copy the whole folder aside/);
      expect(readFileSync(file).equals(damaged)).toBe(true);
    }
  });
});
