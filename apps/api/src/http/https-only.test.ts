import { describe, expect, test } from 'bun:test';
import { startListening, tlsFolder } from '@hub/testkit/in-process/listening';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { addressRanges } from '../platform/config-schemas.ts';
import { BodyWatch } from './body-watch.ts';
import { contextOf } from './request-context.ts';
import { PAGE_HEADERS } from './response-headers.ts';

const response = (): Response => new Response('x');

describe('Strict-Transport-Security', () => {
  const policyOf = async (
    config: NonNullable<Parameters<typeof startListening>[0]['config']>,
    headers: Record<string, string> = {},
  ): Promise<string | null> => {
    await using hub = await startListening({ fetch: response, config });
    const received = await fetch(hub.listener.localUrl, { headers, tls: { rejectUnauthorized: false } });
    return received.headers.get('strict-transport-security');
  };
  const proxied = { trustedProxies: addressRanges.parse('127.0.0.0/8') };
  const https = { 'x-forwarded-proto': 'https', host: 'hub.example.org' };

  test('is sent over HTTPS, whether it comes from a certificate, HUB_BASE_URL or a configured proxy', async () => {
    using tls = tlsFolder();
    expect(await policyOf({ tls: tls.files }, { host: 'hub.example.org' })).toBe('max-age=31536000');
    expect(await policyOf({ baseUrl: 'https://hub.example.org' })).toBe('max-age=31536000');
    expect(await policyOf(proxied, https)).toBe('max-age=31536000');
  });

  test('is not sent over plain HTTP or on localhost, nor because of an untrusted X-Forwarded-Proto', async () => {
    expect(await policyOf({})).toBeNull();
    expect(await policyOf({}, https)).toBeNull();
    expect(await policyOf({ baseUrl: 'http://hub.example.org', ...proxied }, https)).toBeNull();
    expect(await policyOf(proxied, { ...https, 'x-forwarded-proto': 'http' })).toBeNull();
    expect(await policyOf({ baseUrl: 'https://localhost:3000' })).toBeNull();
  });

  test('is not sent over the admin socket', async () => {
    await using hub = await startListening({ fetch: response, config: { baseUrl: 'https://hub.example.org' } });
    const received = await fetch('http://localhost/', { unix: hub.socketPath });
    expect(received.headers.has('strict-transport-security')).toBe(false);
  });
});

test('Cross-Origin-Opener-Policy is sent where browsers honor it: over HTTPS and on localhost', async () => {
  const policyAt = async (baseUrl: string | null, host: string): Promise<string | null> => {
    const page = (request: Request): Response => {
      // As the app does. This page is among the paths of the API.
      const bodies = new BodyWatch(new TestClock());
      contextOf(request).begin('req_test', bodies);
      return new Response('x', { headers: PAGE_HEADERS });
    };
    await using hub = await startListening({ fetch: page, config: { baseUrl } });
    const { headers } = await fetch(hub.listener.localUrl, { headers: { host } });
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    return headers.get('cross-origin-opener-policy');
  };
  for (const host of ['localhost:3000', 'hub.localhost', '127.0.0.1:3000', '[::1]:3000']) {
    expect([host, await policyAt(null, host)]).toEqual([host, 'same-origin']);
  }
  expect(await policyAt('https://hub.example.org', 'hub.example.org')).toBe('same-origin');
  for (const host of ['hub.example.org', '10.1.2.3:3000', 'localhost.example.org']) {
    expect([host, await policyAt(null, host)]).toEqual([host, null]);
  }
  expect(await policyAt('http://hub.example.org', 'localhost')).toBeNull();
});
