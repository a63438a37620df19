import { describe, expect, test } from 'bun:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { serveStatic } from './static-file.ts';

const TEXT = 'The same words over and over. '.repeat(100);

function served(read = async (): Promise<Uint8Array<ArrayBuffer>> => new TextEncoder().encode(TEXT)) {
  const serve = serveStatic({
    read,
    type: 'text/plain',
    cacheControl: 'no-cache',
    headers: { 'referrer-policy': 'no-referrer' },
  });
  return (headers: Record<string, string> = {}) => serve(new Request('http://localhost/file', { headers }));
}

describe('a static file', () => {
  test.each([
    [undefined, null],
    ['identity', null],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['GZIP', 'gzip'],
  ])('requested with accept-encoding %p has content-encoding %p', async (accepted, encoding) => {
    const response = await served()(accepted === undefined ? {} : { 'accept-encoding': accepted });
    const bytes = await response.bytes();
    const plain = encoding === 'br' ? brotliDecompressSync(bytes) : encoding === 'gzip' ? gunzipSync(bytes) : bytes;
    expect(new TextDecoder().decode(plain)).toBe(TEXT);
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(response.headers.get('vary')).toBe('Accept-Encoding');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  });

  test('returns 304 for a matching tag, whatever the encoding', async () => {
    const ask = served();
    const tag = (await ask({ 'accept-encoding': 'br' })).headers.get('etag') ?? '';
    for (const sent of [tag, tag.replace('W/', ''), `"other", ${tag}`, '*']) {
      const response = await ask({ 'if-none-match': sent });
      expect([sent, response.status, await response.text()]).toEqual([sent, 304, '']);
    }
    expect((await ask({ 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('has a different tag for different content', async () => {
    const other = served(async () => new TextEncoder().encode('Other words.'));
    expect((await other()).headers.get('etag')).not.toBe((await served()()).headers.get('etag'));
  });

  test('is compressed once', async () => {
    let reads = 0;
    const ask = served(async () => {
      reads += 1;
      return new TextEncoder().encode(`${TEXT} Once.`);
    });
    for (let time = 0; time < 3; time += 1) await (await ask({ 'accept-encoding': 'br' })).bytes();
    expect(reads).toBe(2);
  });

  test('is read again after a failed read', async () => {
    let isBroken = true;
    const ask = served(async () => {
      if (isBroken) throw new Error('EMFILE');
      return new TextEncoder().encode(TEXT);
    });
    expect(ask({ 'accept-encoding': 'gzip' })).rejects.toThrow('EMFILE');
    isBroken = false;
    expect((await ask({ 'accept-encoding': 'gzip' })).status).toBe(200);
  });

  test('is recompressed after the first response if it is immutable, with the same tag', async () => {
    const text = Array.from({ length: 5_000 }, (_, n) => `const value${(n * 7_919) % 5_003} = make(${n});`).join('\n');
    const serve = serveStatic({
      read: async () => new TextEncoder().encode(text),
      type: 'text/javascript',
      cacheControl: 'immutable',
      isLasting: true,
    });
    const ask = () => serve(new Request('http://localhost/file', { headers: { 'accept-encoding': 'br' } }));
    const first = await ask();
    const { length } = await first.bytes();
    let response = await ask();
    let bytes = await response.bytes();
    while (bytes.length === length) {
      await new Promise((resolve) => setImmediate(resolve));
      response = await ask();
      bytes = await response.bytes();
    }
    expect(bytes.length).toBeLessThan(length);
    expect(brotliDecompressSync(bytes).toString()).toBe(text);
    expect(response.headers.get('etag')).toBe(first.headers.get('etag'));
  });
});
