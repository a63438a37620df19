import { describe, expect, test } from 'bun:test';
import { addressRanges } from '../platform/config-schemas.ts';
import { canonicalAddress, clientAddress, trustedProxies } from './client-address.ts';

const isTrusted = trustedProxies(addressRanges.parse('10.0.0.0/8, fd00::/8, 192.0.2.7'));

describe('the client address of a request', () => {
  test('is the direct peer if it is not a configured proxy, whatever the header says', () => {
    expect(clientAddress('203.0.113.9', '198.51.100.1', isTrusted)).toBe('203.0.113.9');
  });
  test('is the direct peer if no proxy is configured', () => {
    expect(clientAddress('127.0.0.1', '198.51.100.1', trustedProxies([]))).toBe('127.0.0.1');
  });
  test('is the address that a configured proxy reports', () => {
    expect(clientAddress('10.0.0.1', '198.51.100.1', isTrusted)).toBe('198.51.100.1');
  });
  test('is the rightmost address that is not a trusted proxy, because entries further left can be forged', () => {
    expect(clientAddress('10.0.0.1', '1.1.1.1, 198.51.100.1, 10.0.0.2', isTrusted)).toBe('198.51.100.1');
  });
  test('is the outermost proxy if every hop is a trusted proxy', () => {
    expect(clientAddress('10.0.0.1', '10.0.0.3, 10.0.0.2', isTrusted)).toBe('10.0.0.3');
  });
  test('is the proxy itself if it sends no header', () => {
    expect(clientAddress('10.0.0.1', null, isTrusted)).toBe('10.0.0.1');
  });
  test.each(['unknown', '', '198.51.100.1,', 'evil, 10.0.0.2', '999.1.1.1', '<script>'])(
    'is the direct peer if the chain in the header cannot be followed: %p',
    (header) => expect(clientAddress('10.0.0.1', header, isTrusted)).toBe('10.0.0.1'),
  );
  test('does not depend on invalid entries to its left', () => {
    expect(clientAddress('10.0.0.1', 'garbage, 198.51.100.1', isTrusted)).toBe('198.51.100.1');
  });
  test.each([
    ['198.51.100.1:51234', '198.51.100.1'],
    ['[2001:db8::7]:51234', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['2001:DB8:0:0::7', '2001:db8::7'],
    ['::ffff:198.51.100.1', '198.51.100.1'],
  ])('is recognized in every format that proxies use: %s', (entry, address) => {
    expect(clientAddress('10.0.0.1', entry, isTrusted)).toBe(address);
  });
  test('is read from a proxy over IPv6, and over IPv4 on a dual-stack socket', () => {
    expect(clientAddress('fd12::1', '198.51.100.1', isTrusted)).toBe('198.51.100.1');
    expect(clientAddress('::ffff:10.0.0.1', '198.51.100.1', isTrusted)).toBe('198.51.100.1');
  });
});

test.each([
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:C000:0201', '192.0.2.1'],
  ['0:0:0:0:0:0:0:1', '::1'],
  ['FE80::1%eth0', 'fe80::1'],
  ['192.0.2.1', '192.0.2.1'],
])('each address has one canonical spelling: %s becomes %s', (text, canonical) =>
  expect(canonicalAddress(text)).toBe(canonical),
);

test.each(['', 'localhost', '1.2.3', '01.2.3.4', '[::1]'])('%p is not an address', (text) => {
  expect(canonicalAddress(text)).toBeNull();
});
