import { expect, test } from 'bun:test';
import { rawHead, sendOnce } from '@hub/testkit/http';
import { shared } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import fc from 'fast-check';
import { addressRanges } from '../platform/config-schemas.ts';
import { canonicalAddress, clientAddress, isValidHost, requestOrigin, trustedProxies } from './announce-connection.ts';
import { makeRoutable, requestPath } from './request-context.ts';

const hub = shared(startTestHub);
const ask = (line: string, host: string) => sendOnce(hub.url, rawHead(`${line} HTTP/1.1`, `Host: ${host}`));

test('the path that is authorized and routed is not changed by any Host, which could bypass the gates', async () => {
  await hub.admin.createHub('Secret plans');
  for (const host of ['x', 'ab', 'hub', 'a.b', 'x:1', 'example.org', '[::1]:3000']) {
    // Wherever a router might start reading, what follows is the path of an admin route.
    for (const prefix of ['/z', '/zz', '/zzz', '/zzzz', '/zzzzzzzz']) {
      const response = await ask(`GET ${prefix}/api/v1/hubs`, host);
      expect([host, response.status]).toEqual([host, 404]);
      expect(response.body).not.toContain('Secret plans');
    }
    expect((await ask('GET /api/v1?a=/b', host)).status).toBe(200);
    expect((await ask('POST /api/public/v1/messages', host)).status).toBe(401);
  }
});

test('the path that is authorized and routed cannot contain a #, since the router and the gates would read it differently', async () => {
  const response = await ask('GET /api/v1#/hubs', 'example.org');
  expect(response.status).toBe(404);
  expect(JSON.parse(response.body).path).toBe('/api/v1');
});

const hosts = fc.constantFrom('a', 'x.y', 'hub', 'hub.example.org', '127.0.0.1:3000', '[::1]:80', 'user@hub');
const pieces = fc.constantFrom(...'/ // .. . %2e %2F api public v1 ? # : @ \\ é %'.split(' '), ' ');
const rests = fc.array(pieces, { maxLength: 8 }).map((all) => `/${all.join('')}`);

test('the path is that of the URL standard, for the gates and for the router, whatever the host', () => {
  fc.assert(
    fc.property(hosts, rests, (host, rest) => {
      const { href, pathname } = new URL(`http://${host}${rest}`);
      expect(requestPath({ url: href } as Request)).toBe(pathname);
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

test('a host is a name or an address, with an optional port', () => {
  const valid = ['hub.example.org', 'localhost:3000', '[::1]:8080', '127.0.0.1', 'my_service', 'A.B:65535'];
  expect(valid.filter((host) => !isValidHost(host))).toEqual([]);
  const invalid = ['a b', 'a/b', 'user@host', 'a, b', 'a:65536', 'a:', '::1', 'a\\b', 'a?b', 'a#b', '%00', '256.1.1.1'];
  expect(['', '[1]', ...invalid].filter(isValidHost)).toEqual([]);
});

test('an origin is the scheme and host, in lower case and without the default port', () => {
  expect(requestOrigin('http', 'Hub.Example.org:80', null)).toBe('http://hub.example.org');
  expect(requestOrigin('https', 'hub.example.org:8443', null)).toBe('https://hub.example.org:8443');
  // The scheme that a trusted proxy forwards counts, the outermost of several first.
  for (const forwarded of ['https', 'wss', 'WSS', 'HTTPS, http', 'wss,http']) {
    expect([forwarded, requestOrigin('http', 'a.b', forwarded)]).toEqual([forwarded, 'https://a.b']);
  }
  for (const forwarded of ['ws, https', 'http']) {
    expect([forwarded, requestOrigin('https', 'a.b', forwarded)]).toEqual([forwarded, 'http://a.b']);
  }
});

const isTrusted = trustedProxies(addressRanges.parse('10.0.0.0/8, fd00::/8, 192.0.2.7'));

test.each([
  ['the direct peer if it is not a configured proxy', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
  // Entries further left can be forged.
  ['the rightmost that is no trusted proxy', '10.0.0.1', '1.1.1.1, 198.51.100.1, 10.0.0.2', '198.51.100.1'],
  ['the outermost proxy if every hop is trusted', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['read from a proxy over IPv6', 'fd12::1', '198.51.100.1', '198.51.100.1'],
  ['read from a proxy over IPv4 on a dual-stack socket', '::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['read with a port', '10.0.0.1', '198.51.100.1:51234', '198.51.100.1'],
  ['read with a port over IPv6', '10.0.0.1', '[2001:db8::7]:51234', '2001:db8::7'],
  ['read in brackets', '10.0.0.1', '[2001:db8::7]', '2001:db8::7'],
  ['in its canonical spelling', '10.0.0.1', '2001:DB8:0:0::7', '2001:db8::7'],
  ...['unknown', '', '198.51.100.1,', 'evil, 10.0.0.2', '999.1.1.1', '<script>'].map(
    (chain) => ['the direct peer if the chain cannot be followed', '10.0.0.1', chain, '10.0.0.1'] as const,
  ),
] as const)('the client address of a request is %s: %p, %p', (_, peer, header, address) =>
  expect(clientAddress(peer, header, isTrusted)).toBe(address),
);

test.each([
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:C000:0201', '192.0.2.1'],
  ['0:0:0:0:0:0:0:1', '::1'],
  ['FE80::1%eth0', 'fe80::1'],
  ['192.0.2.1', '192.0.2.1'],
  ...['', 'localhost', '1.2.3', '01.2.3.4', '[::1]'].map((text) => [text, null] as const),
] as const)('each address has one canonical spelling, and other text is none: %s becomes %s', (text, canonical) =>
  expect(canonicalAddress(text)).toBe(canonical),
);
