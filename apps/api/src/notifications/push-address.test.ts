import { describe, expect, test } from 'bun:test';
import { endpointProblem, isPublicAddress } from './push-address.ts';
import { pushTransport } from './push-transport.ts';

const problemOf = (endpoint: string, isLocalAllowed = false) => endpointProblem(endpoint, { isLocalAllowed });

describe('a push endpoint', () => {
  test('must not be an address of this machine or its network, or a reserved one', () => {
    const inner = [
      ...['127.0.0.1', '10.1.2.3', '172.31.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0'],
      ...['224.0.0.1', '255.255.255.255', '::1', '::', 'fe80::1', 'fd00::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1'],
      ...['2002:7f00:1::', '2001:db8::1', 'ff02::1'],
    ];
    expect(inner.filter(isPublicAddress)).toEqual([]);
    expect(['8.8.8.8', '172.32.0.1', '2a00:1450:4001::1'].filter((each) => !isPublicAddress(each))).toEqual([]);
  });

  test('must be an https URL without user, password or fragment', () => {
    expect(problemOf('https://push.example.net/a/b?c=d')).toBeNull();
    expect(problemOf('https://push.example.net:8443/a')).toBeNull();
    for (const endpoint of [
      'http://push.example.net/',
      'ftp://push.example.net/',
      'push.example.net',
      '',
      'https://user:secret@push.example.net/',
      'https://push.example.net/#part',
      'https://127.0.0.1/',
      'https://2130706433/',
      'https://0x7f.1/',
      'https://[::1]/',
      'https://[::ffff:10.0.0.1]/',
      'https://localhost/',
      'https://hub.localhost/',
      'https://metadata.google.internal/',
    ]) {
      expect([endpoint, problemOf(endpoint)]).toEqual([endpoint, expect.stringMatching(/^endpoint must /)]);
    }
  });

  test('may be on this machine if local push services are allowed, for development', () => {
    expect(problemOf('http://127.0.0.1:4380/x', true)).toBeNull();
  });

  test('is rejected after the DNS lookup if its name resolves to this machine, before anything is sent', async () => {
    let requests = 0;
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => {
        requests += 1;
        return new Response();
      },
    });
    const transport = pushTransport({ isLocalAllowed: false });
    for (const host of ['localhost', '127.0.0.1', '[::1]']) {
      const endpoint = `https://${host}:${server.port}/x`;
      const sent = transport.post({ endpoint, headers: {}, body: new Uint8Array(1) });
      await expect(sent).rejects.toThrow('resolves to this machine or its local network');
    }
    expect(requests).toBe(0);
    await server.stop(true);
  });

  test('that redirects is not followed; the redirect counts as the response', async () => {
    const paths: string[] = [];
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: ({ url }) => {
        paths.push(new URL(url).pathname);
        return Response.redirect('/elsewhere', 307);
      },
    });
    const transport = pushTransport({ isLocalAllowed: true });
    const endpoint = `http://127.0.0.1:${server.port}/first`;
    expect(await transport.post({ endpoint, headers: {}, body: new Uint8Array(1) })).toMatchObject({ status: 307 });
    expect(paths).toEqual(['/first']);
    await server.stop(true);
  });
});
