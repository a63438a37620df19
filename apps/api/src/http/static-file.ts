import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** By the extension of a file's name. */
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
  png: 'image/png',
  webmanifest: 'application/manifest+json',
};
const JSON_TYPE = 'application/json';

interface StaticFile {
  /** Reads the file; called again for the rare client that accepts no compression. */
  readonly read: () => Promise<Uint8Array<ArrayBuffer>>;
  /** The extension of its name. */
  readonly type: string;
  /** Whether its path never gets another content. Otherwise, browsers ask each time whether it is still the same. */
  readonly isImmutable?: boolean;
  /** Whether everyone loads it: then it is worth seconds to make it as small as possible. */
  readonly isForEveryone?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

type Encoding = 'br' | 'gzip';

type Compress = (bytes: Uint8Array) => Promise<Uint8Array<ArrayBuffer>>;

const brotli =
  (quality: number): Compress =>
  (bytes) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });

/** Runs in the thread pool, so that no request waits. Higher quality levels take a long time for a large file. */
const compress: Record<Encoding, Compress> = { br: brotli(6), gzip: (bytes) => promisify(gzip)(bytes) };
const compressWell: Record<Encoding, Compress> = { ...compress, br: brotli(constants.BROTLI_MAX_QUALITY) };

/** By encoding and entity tag, so that servers in one process compress a file once. */
const compressed = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

/** Serves content that does not change while the process runs: compressed once per encoding, with an entity tag. */
export function serveStatic(file: StaticFile): (input: { request: Request }) => Promise<Response> {
  let tag: Promise<string> | undefined;
  /** Recompresses in the background, so that the first request does not wait. The tag stays the same. */
  const recompress = async (encoding: Encoding, key: string) => {
    const small = file.read().then(compressWell[encoding]);
    await small.then(
      () => compressed.set(key, small),
      () => {},
    );
  };

  return async ({ request: { headers: requestHeaders } }) => {
    tag ??= once(
      file.read().then((bytes) => `W/"${Bun.hash(bytes).toString(36)}"`),
      () => {
        tag = undefined;
      },
    );
    const headers = {
      ...file.headers,
      'content-type': TYPES[file.type] ?? JSON_TYPE,
      'cache-control': file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
      etag: await tag,
      vary: 'Accept-Encoding',
    };
    if (isAmong(headers.etag, requestHeaders.get('if-none-match'))) return new Response(null, { status: 304, headers });
    const encoding = acceptedEncoding(requestHeaders.get('accept-encoding'));
    if (encoding === null) return new Response(await file.read(), { headers });
    const key = `${encoding} ${headers.etag}`;
    let bytes = compressed.get(key);
    if (!bytes) {
      bytes = once(file.read().then(compress[encoding]), () => compressed.delete(key));
      compressed.set(key, bytes);
      if (file.isForEveryone) void recompress(encoding, key);
    }
    return new Response(await bytes, { headers: { ...headers, 'content-encoding': encoding } });
  };
}

/** Retries failed work on the next request, instead of failing forever. */
function once<T>(work: Promise<T>, forget: () => void): Promise<T> {
  work.catch(forget);
  return work;
}

/** Compares weakly, as required by RFC 9110, section 13.1.2. */
export function isAmong(tag: string, ifNoneMatch: string | null): boolean {
  if (ifNoneMatch === null) return false;
  const opaque = (text: string) => text.trim().replace(/^W\//, '');
  return ifNoneMatch.split(',').some((etag) => etag.trim() === '*' || opaque(etag) === opaque(tag));
}

/** Returns `br` if the client accepts it, or else `gzip` (RFC 9110, section 12.5.3); `null` for neither. */
function acceptedEncoding(acceptEncoding: string | null): Encoding | null {
  const encodings = (acceptEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.split(';').map((word) => word.trim()))
    .filter(([, quality]) => !/^q=0(\.0*)?$/.test(quality ?? ''))
    .map(([name]) => name);
  return (['br', 'gzip'] as const).find((encoding) => encodings.includes(encoding)) ?? null;
}
