import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { isUnder, makeRoutable, requestPath } from './request-context.ts';

const hosts = fc.constantFrom('a', 'x.y', 'hub', 'hub.example.org', '127.0.0.1:3000', '[::1]:80', 'user@hub');
const pieces = fc.constantFrom(
  '/',
  '//',
  '..',
  '.',
  '%2e',
  '%2F',
  'api',
  'public',
  'v1',
  '?',
  '#',
  ':',
  '@',
  '\\',
  'é',
  '%',
  ' ',
);
const rests = fc.array(pieces, { maxLength: 8 }).map((all) => `/${all.join('')}`);

test('the path matches the URL standard for every host', () => {
  fc.assert(
    fc.property(hosts, rests, (host, rest) => {
      const { href, pathname } = new URL(`http://${host}${rest}`);
      expect(requestPath({ url: href } as Request)).toBe(pathname);
    }),
    { numRuns: 1_000 },
  );
});

test('the router sees the same path as the gates', () => {
  fc.assert(
    fc.property(hosts, rests, (host, rest) => {
      const request = new Request(`http://${host.replace('user@', '')}${rest}`);
      const path = requestPath(request);
      const { url } = makeRoutable(request);
      expect(requestPath({ url } as Request)).toBe(path);
      const start = url.indexOf('/', 11);
      expect(url.slice(start).split(/[?#]/)[0]).toBe(path);
    }),
    { numRuns: 1_000 },
  );
});

test('a path is under a prefix only if the prefix ends at a segment boundary', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii' }), (tail) => {
      expect(isUnder(`/api${tail}`, '/api')).toBe(tail === '' || tail.startsWith('/'));
    }),
  );
});
