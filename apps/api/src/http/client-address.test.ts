import { describe, expect, test } from 'bun:test';
import { addressRanges } from '../config-schemas.ts';
import { canonicalAddress, clientAddress, trustedProxies } from './client-address.ts';

const isTrusted = trustedProxies(addressRanges.parse('10.0.0.0/8, fd00::/8, 192.0.2.7'));

describe('the client of a request', () => {
  test('is the direct peer if that is no configured proxy, whatever the header says', () => {
    expect(clientAddress('203.0.113.9', '198.51.100.1', isTrusted)).toBe('203.0.113.9');
  });
  test('is the direct peer if no proxy is configured', () => {
    expect(clientAddress('127.0.0.1', '198.51.100.1', trustedProxies([]))).toBe('127.0.0.1');
  });
  test('is the one that a configured proxy names', () => {
    expect(clientAddress('10.0.0.1', '198.51.100.1', isTrusted)).toBe('198.51.100.1');
  });
  test('is the rightmost that no trusted proxy has: what stands further left is anyone’s invention', () => {
    expect(clientAddress('10.0.0.1', '1.1.1.1, 198.51.100.1, 10.0.0.2', isTrusted)).toBe('198.51.100.1');
  });
  test('is the outermost proxy itself if every hop is one', () => {
    expect(clientAddress('10.0.0.1', '10.0.0.3, 10.0.0.2', isTrusted)).toBe('10.0.0.3');
  });
  test('is the proxy if it sends no header', () => {
    expect(clientAddress('10.0.0.1', null, isTrusted)).toBe('10.0.0.1');
  });
  test.each(['unknown', '', '198.51.100.1,', 'evil, 10.0.0.2', '999.1.1.1', '<script>'])(
    'is the direct peer if the header cannot be followed: %p',
    (header) => expect(clientAddress('10.0.0.1', header, isTrusted)).toBe('10.0.0.1'),
  );
  test('is found behind garbage that no trusted proxy vouches for', () => {
    expect(clientAddress('10.0.0.1', 'garbage, 198.51.100.1', isTrusted)).toBe('198.51.100.1');
  });
  test.each([
    ['198.51.100.1:51234', '198.51.100.1'],
    ['[2001:db8::7]:51234', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['2001:DB8:0:0::7', '2001:db8::7'],
    ['::ffff:198.51.100.1', '198.51.100.1'],
  ])('is recognised as proxies write it: %s', (entry, address) => {
    expect(clientAddress('10.0.0.1', entry, isTrusted)).toBe(address);
  });
  test('behind a proxy over IPv6, and over IPv4 on a socket for both', () => {
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
])('one address has one spelling: %s is %s', (text, canonical) => expect(canonicalAddress(text)).toBe(canonical));

test.each(['', 'localhost', '1.2.3', '01.2.3.4', '[::1]'])('%p is no address', (text) => {
  expect(canonicalAddress(text)).toBeNull();
});
