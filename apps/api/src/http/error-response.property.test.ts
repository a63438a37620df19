import { expect, test } from 'bun:test';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import fc from 'fast-check';
import { AppError, type ErrorCode } from '../platform/errors.ts';
import { ERROR_STATUS, errorResponse } from './error-response.ts';

const codes = fc.constantFrom(...(Object.keys(ERROR_STATUS) as ErrorCode[]), 'internal' as const);
const paths = fc.webUrl({ withQueryParameters: true, withFragments: false });

test('an error under /api has exactly the four fields, whatever the error and the Accept header', async () => {
  await fc.assert(
    fc.asyncProperty(
      codes,
      paths,
      fc.string({ unit: 'binary' }),
      fc.constantFrom('text/html', '*/*', ''),
      async (code, url, message, accept) => {
        const { pathname, search } = new URL(url);
        const request = new Request(`http://hub.test/api${pathname}${search}`, { headers: { accept } });
        const error = code === 'internal' ? code : new AppError(code, message);
        const response = errorResponse(request, error, new TestClock());
        const body = (await response.json()) as Record<string, unknown>;
        expect(Object.keys(body)).toEqual(['statusCode', 'message', 'timestamp', 'path']);
        expect(body.statusCode).toBe(response.status);
        expect(response.status).toBe(code === 'internal' ? 500 : ERROR_STATUS[code]);
        expect(body.path).toBe(`/api${new URL(url).pathname}`);
        expect(body.timestamp).toBe('2026-03-01T09:30:00.000Z');
        expect(response.headers.get('content-type')).toBe('application/json');
      },
    ),
    { numRuns: 300 },
  );
});

test('an error page contains no markup from the request', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (message) => {
      const request = new Request('http://hub.test/x', { headers: { accept: 'text/html' } });
      const page = await errorResponse(
        request,
        new AppError('not_found', `${message}<script>&`),
        new TestClock(),
      ).text();
      const text = page.slice(page.indexOf('<p>') + 3, page.lastIndexOf('</p>'));
      expect(text).not.toMatch(/[<>]|&(?!#\d+;)/);
    }),
  );
});
