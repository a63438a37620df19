import { expect, test } from 'bun:test';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import fc from 'fast-check';
import { AppError } from '../platform/errors.ts';
import { BodyWatch } from './body-watch.ts';
import { readJsonBody } from './read-body.ts';
import { beginRequest } from './request-context.ts';

const BOM = [0xef, 0xbb, 0xbf];

async function read(bytes: Uint8Array, isChunked: boolean): Promise<unknown> {
  const body = isChunked ? new Blob([bytes]).stream() : bytes;
  const request = new Request('http://hub.test/', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  });
  if (!isChunked) request.headers.set('content-length', String(bytes.length));
  const connection = { transport: 'public', address: '192.0.2.1', origin: 'http://hub.test', startedAt: 0 } as const;
  const bodies = new BodyWatch(new TestClock());
  beginRequest(request, connection).begin('req_test', bodies);
  try {
    return { value: await readJsonBody(request) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { code: error.code, message: error.message };
  }
}

test('JSON is parsed unchanged, with and without a byte order mark, whole and in chunks', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), fc.boolean(), fc.boolean(), async (value, hasBom, isChunked) => {
      const bytes = new Uint8Array([...(hasBom ? BOM : []), ...new TextEncoder().encode(JSON.stringify(value))]);
      expect(await read(bytes, isChunked)).toEqual({ value: JSON.parse(JSON.stringify(value)) });
    }),
    { numRuns: 200 },
  );
});

test('any bytes are either parsed or rejected as invalid with a printable message', async () => {
  const almost = fc.tuple(fc.jsonValue(), fc.nat(), fc.nat(255)).map(([value, at, byte]) => {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    bytes[at % bytes.length] = byte;
    return bytes;
  });
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.uint8Array(), almost), async (bytes) => {
      const result = (await read(bytes, false)) as { code?: string; message?: string };
      let expected: unknown;
      try {
        expected = { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
      } catch {
        expect(result.code).toBe('invalid');
        expect(result.message?.length).toBeLessThan(400);
        expect(result.message).not.toMatch(/[\p{Cc}\u202a-\u202e]|\p{Cs}/u);
        return;
      }
      expect(result).toEqual(expected as never);
    }),
    { numRuns: 1_000 },
  );
});
