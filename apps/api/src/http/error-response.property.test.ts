import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { Refusal, type RefusalCode } from '../errors.ts';
import { TestClock } from '../testing/test-clock.ts';
import { errorResponse, REFUSAL_STATUS } from './error-response.ts';

const codes = fc.constantFrom(...(Object.keys(REFUSAL_STATUS) as RefusalCode[]), 'internal' as const);
const paths = fc.webUrl({ withQueryParameters: true, withFragments: false });

test('an error under /api is the four fields, whatever it is about and whatever is accepted', async () => {
  await fc.assert(
    fc.asyncProperty(
      codes,
      paths,
      fc.string({ unit: 'binary' }),
      fc.constantFrom('text/html', '*/*', ''),
      async (code, url, message, accept) => {
        const { pathname, search } = new URL(url);
        const request = new Request(`http://hub.test/api${pathname}${search}`, { headers: { accept } });
        const refusal = code === 'internal' ? code : new Refusal(code, message);
        const answer = errorResponse(request, refusal, new TestClock());
        const body = (await answer.json()) as Record<string, unknown>;
        expect(Object.keys(body)).toEqual(['statusCode', 'message', 'timestamp', 'path']);
        expect(body.statusCode).toBe(answer.status);
        expect(answer.status).toBe(code === 'internal' ? 500 : REFUSAL_STATUS[code]);
        expect(body.path).toBe(`/api${new URL(url).pathname}`);
        expect(body.timestamp).toBe('2026-03-01T09:30:00.000Z');
        expect(answer.headers.get('content-type')).toBe('application/json');
      },
    ),
    { numRuns: 300 },
  );
});

test('a page about an error holds no markup but its own', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (message) => {
      const request = new Request('http://hub.test/x', { headers: { accept: 'text/html' } });
      const page = await errorResponse(
        request,
        new Refusal('not_found', `${message}<script>&`),
        new TestClock(),
      ).text();
      const text = page.slice(page.indexOf('<p>') + 3, page.lastIndexOf('</p>'));
      expect(text).not.toMatch(/[<>]|&(?!#\d+;)/);
    }),
  );
});
