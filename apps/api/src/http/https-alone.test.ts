import { describe, expect, test } from 'bun:test';
import { addressRanges } from '../config-schemas.ts';
import { startListening } from '../testing/listening.ts';
import { tlsFolder } from '../testing/tls-files.ts';

const answer = (): Response => new Response('x');

describe('browsers are told to come over HTTPS alone', () => {
  const policyOf = async (
    config: NonNullable<Parameters<typeof startListening>[0]['config']>,
    headers: Record<string, string> = {},
  ): Promise<string | null> => {
    await using hub = await startListening({ fetch: answer, config });
    const told = await fetch(hub.listener.localUrl, { headers, tls: { rejectUnauthorized: false } });
    return told.headers.get('strict-transport-security');
  };
  const proxied = { trustedProxies: addressRanges.parse('127.0.0.0/8') };
  const https = { 'x-forwarded-proto': 'https', host: 'hub.example.org' };

  test('if they do so already, by a certificate, by HUB_BASE_URL or by the word of a configured proxy', async () => {
    using tls = tlsFolder();
    expect(await policyOf({ tls: tls.files }, { host: 'hub.example.org' })).toBe('max-age=31536000');
    expect(await policyOf({ baseUrl: 'https://hub.example.org' })).toBe('max-age=31536000');
    expect(await policyOf(proxied, https)).toBe('max-age=31536000');
  });

  test('not over plain HTTP, not by the word of a stranger, and not on localhost', async () => {
    expect(await policyOf({})).toBeNull();
    expect(await policyOf({}, https)).toBeNull();
    expect(await policyOf({ baseUrl: 'http://hub.example.org', ...proxied }, https)).toBeNull();
    expect(await policyOf(proxied, { ...https, 'x-forwarded-proto': 'http' })).toBeNull();
    expect(await policyOf({ baseUrl: 'https://localhost:3000' })).toBeNull();
  });

  test('not over the admin socket', async () => {
    await using hub = await startListening({ fetch: answer, config: { baseUrl: 'https://hub.example.org' } });
    const told = await fetch('http://localhost/', { unix: hub.socketPath });
    expect(told.headers.has('strict-transport-security')).toBe(false);
  });
});
