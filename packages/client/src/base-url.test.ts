import { expect, test } from 'bun:test';
import { parseBaseUrl } from './base-url.ts';
import { HubUsageError } from './errors.ts';

test.each([
  ['https://hub.example.com', 'https://hub.example.com'],
  ['https://hub.example.com/', 'https://hub.example.com'],
  ['http://127.0.0.1:3000//', 'http://127.0.0.1:3000'],
  ['https://example.com/team/hub', 'https://example.com/team/hub'],
  ['https://example.com/team/hub/', 'https://example.com/team/hub'],
  ['https://hub.example.com/api/public/v1', 'https://hub.example.com'],
  ['https://example.com/hub/api/public/v1/', 'https://example.com/hub'],
  ['HTTPS://Hub.Example.COM', 'https://hub.example.com'],
])('parseBaseUrl reads %s as %s', (given, base) => {
  expect(parseBaseUrl(given)).toBe(base);
  expect(parseBaseUrl(new URL(given))).toBe(base);
});

test.each([
  [undefined, /missing/],
  [42, /missing/],
  ['hub.example.com', /not an absolute URL/],
  ['', /not an absolute URL/],
  ['localhost:3000', /must start with https:\/\/ or http:\/\//],
  ['ftp://hub.example.com', /must start with/],
  ['https://ann:s3cret@hub.example.com', /must not contain a user name or password/],
  ['https://ann@hub.example.com', /must not contain a user/],
  ['https://hub.example.com?key=s3cret', /must not have a query/],
  ['https://hub.example.com/?', /must not have a query/],
  ['https://hub.example.com/#s3cret', /must not have a query or a fragment/],
])('parseBaseUrl rejects %p, and the error does not contain it', (given, message) => {
  const reject = () => parseBaseUrl(given);
  expect(reject).toThrow(HubUsageError);
  expect(reject).toThrow(message);
  expect(reject).not.toThrow(/s3cret/);
});
