import { describe, expect, test } from 'bun:test';
import { type EarlyResponse, FlushChecker } from './flush-trace.ts';

const ID = 'msg_01KA3T8Q6V5M0G7ZB4W2N9RXEC';
const WAL = '8</data/hub.db-wal>';

const hex = (bytes: Uint8Array): string =>
  `"${[...bytes].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}"`;
const call = (name: string, file: string, rest = ''): string => `7 1.5 ${name}(${file}${rest}) = 0`;

/** Returns the writes of a log frame: its header, then a page that contains the ID. */
function frame(isCommit: boolean, id = ID): string[] {
  const header = Buffer.alloc(24);
  header.writeUInt32BE(isCommit ? 9 : 0, 4);
  const page = Buffer.alloc(4096);
  page.write(id, 300);
  return [header, page].map((bytes) => `7 1.5 pwrite64(${WAL}, ${hex(bytes)}, ${bytes.length}, 0) = ${bytes.length}`);
}

const committed = frame(true);
const flush = call('fdatasync', WAL);
const response = `7 1.5 sendto(21<socket:[1]>, "HTTP/1.1 201 Created\\r\\n\\r\\n{\\"data\\":{\\"id\\":\\"${ID}\\"}}", 60, 0, NULL, 0) = 60`;

function check(...lines: (string | string[])[]) {
  const checker = new FlushChecker();
  for (const line of lines.flat()) checker.read(line);
  return checker.report;
}

const early = (why: EarlyResponse['why']): EarlyResponse[] => [{ id: ID, why }];

describe('the flush checker', () => {
  test('accepts a response after the flush of its transaction', () => {
    const report = check(frame(false), committed, flush, response);
    expect(report).toMatchObject({ responded: [ID], early: [], commits: 1, flushes: 1, unreadable: 0 });
  });

  test('reports a response before the flush of its transaction, even after an earlier flush', () => {
    expect(check(committed, response, flush).early).toEqual(early('not flushed'));
    expect(check(flush, committed, response, flush).early).toEqual(early('not flushed'));
  });

  test('reports a response whose transaction is missing or incomplete', () => {
    expect(check(response).early).toEqual(early('not written'));
    expect(check(frame(false), flush, response).early).toEqual(early('not written'));
    expect(check(frame(true, ID.replace('msg', 'note')), flush, response).early).toEqual(early('not written'));
  });

  test('counts a flush only for earlier writes, and only once it has returned', () => {
    const began = `7 1.5 fsync(${WAL} <unfinished ...>`;
    const returned = '7 1.6 <... fsync resumed>) = 0';
    const elsewhere = committed.map((line) => line.replace('7', '9'));
    expect(check(committed, began, returned, response).early).toEqual([]);
    expect(check(began, elsewhere, returned, response).early).toEqual(early('not flushed'));
    expect(check(committed, began, response.replace('7', '9'), returned).early).toEqual(early('not flushed'));
  });

  test('ignores failed flushes and flushes of other files', () => {
    const failed = `7 1.5 fsync(${WAL}) = -1 EIO (Input/output error)`;
    expect(check(committed, failed, response).early).toEqual(early('not flushed'));
    expect(check(committed, call('fsync', '9</data/search.db-wal>'), response).early).toEqual(early('not flushed'));
  });

  test('counts a response whose ID cannot be read', () => {
    expect(check(response.replaceAll('id', 'no')).unreadable).toBe(1);
  });
});
