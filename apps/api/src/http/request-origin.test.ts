import { expect, test } from 'bun:test';
import { isValidHost, requestOrigin } from './request-origin.ts';

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

test('the scheme comes from the trusted proxy, or from the outermost of several', () => {
  expect(requestOrigin('http', 'hub.example.org', 'https')).toBe('https://hub.example.org');
  expect(requestOrigin('http', 'hub.example.org', 'HTTPS, http')).toBe('https://hub.example.org');
});

test('an invalid scheme is ignored', () => {
  expect(requestOrigin('http', 'hub.example.org', 'javascript')).toBe('http://hub.example.org');
});
