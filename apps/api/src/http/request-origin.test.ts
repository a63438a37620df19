import { expect, test } from 'bun:test';
import { isValidHost, requestOrigin } from './announce-connection.ts';

test.each(['hub.example.org', 'localhost:3000', '[::1]:8080', '127.0.0.1', 'my_service', 'A.B:65535'])(
  '%p is a host',
  (host) => expect(isValidHost(host)).toBe(true),
);

test.each([
  '',
  'a b',
  'a/b',
  'user@host',
  'a, b',
  'a:65536',
  'a:',
  '::1',
  'a\\b',
  'a?b',
  'a#b',
  '%00',
  '256.1.1.1',
  '[1]',
])('%p is not a valid host', (host) => expect(isValidHost(host)).toBe(false));

test('an origin is the scheme and host, in lower case and without the default port', () => {
  expect(requestOrigin('http', 'Hub.Example.org:80', null)).toBe('http://hub.example.org');
  expect(requestOrigin('https', 'hub.example.org:8443', null)).toBe('https://hub.example.org:8443');
});

test.each([
  ['https', 'https'],
  ['wss', 'https'],
  ['WSS', 'https'],
  ['HTTPS, http', 'https'],
  ['wss,http', 'https'],
  ['ws, https', 'http'],
  ['http', 'http'],
])('the scheme that the trusted proxy forwards as %p, the outermost of several first, is %s', (forwarded, scheme) => {
  const other = scheme === 'http' ? 'https' : 'http';
  expect(requestOrigin(other, 'hub.example.org', forwarded)).toBe(`${scheme}://hub.example.org`);
});

test('an invalid scheme is ignored', () => {
  expect(requestOrigin('http', 'hub.example.org', 'javascript')).toBe('http://hub.example.org');
});
