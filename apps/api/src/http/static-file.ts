import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export interface StaticFile {
  /** Reads it; called anew for the rare client that takes no compression. */
  readonly read: () => Promise<Uint8Array<ArrayBuffer>>;
  readonly type: string;
  readonly cacheControl: string;
  /** Asked for by everybody, and kept for ever: worth seconds of work, once, to be as small as can be. */
  readonly isLasting?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

type Encoding = 'br' | 'gzip';

type Compress = (bytes: Uint8Array) => Promise<Uint8Array<ArrayBuffer>>;

const brotli =
  (quality: number): Compress =>
  (bytes) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });

/** In a thread of the pool, so that no request waits. Higher qualities take long for a large file. */
const compress: Record<Encoding, Compress> = { br: brotli(6), gzip: (bytes) => promisify(gzip)(bytes) };
const compressWell: Record<Encoding, Compress> = { ...compress, br: brotli(constants.BROTLI_MAX_QUALITY) };

/**
 * Serves something that does not change while the process runs: compressed once for each encoding, when first asked
 * for, and with an entity tag, so that who has it already gets 304.
 */
export function serveStatic(file: StaticFile): (request: Request) => Promise<Response> {
  const compressed = new Map<Encoding, Promise<Uint8Array<ArrayBuffer>>>();
  let tag: Promise<string> | undefined;
  /** Who asks first need not wait for it. It is the same content, so the tag stays. */
  const makeSmaller = async (encoding: Encoding) => {
    const small = file.read().then(compressWell[encoding]);
    await small.then(
      () => compressed.set(encoding, small),
      () => {},
    );
  };

  return async ({ headers: asked }) => {
    tag ??= once(
      file.read().then((bytes) => `W/"${Bun.hash(bytes).toString(36)}"`),
      () => {
        tag = undefined;
      },
    );
    const headers = {
      ...file.headers,
      'content-type': file.type,
      'cache-control': file.cacheControl,
      etag: await tag,
      vary: 'Accept-Encoding',
    };
    if (isAmong(headers.etag, asked.get('if-none-match'))) return new Response(null, { status: 304, headers });
    const encoding = acceptedEncoding(asked.get('accept-encoding'));
    if (encoding === null) return new Response(await file.read(), { headers });
    let bytes = compressed.get(encoding);
    if (!bytes) {
      bytes = once(file.read().then(compress[encoding]), () => compressed.delete(encoding));
      compressed.set(encoding, bytes);
      if (file.isLasting) void makeSmaller(encoding);
    }
    return new Response(await bytes, { headers: { ...headers, 'content-encoding': encoding } });
  };
}

/** What failed is tried again by the next request, instead of failing for ever. */
function once<T>(work: Promise<T>, forget: () => void): Promise<T> {
  work.catch(forget);
  return work;
}

/** Weak comparison, as RFC 9110, section 13.1.2, asks for. */
export function isAmong(tag: string, ifNoneMatch: string | null): boolean {
  if (ifNoneMatch === null) return false;
  const opaque = (text: string) => text.trim().replace(/^W\//, '');
  return ifNoneMatch.split(',').some((sent) => sent.trim() === '*' || opaque(sent) === opaque(tag));
}

/** The better of what the client takes (RFC 9110, section 12.5.3); `null` for neither. */
function acceptedEncoding(acceptEncoding: string | null): Encoding | null {
  const taken = (acceptEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.split(';').map((word) => word.trim()))
    .filter(([, quality]) => !/^q=0(\.0*)?$/.test(quality ?? ''))
    .map(([name]) => name);
  return (['br', 'gzip'] as const).find((encoding) => taken.includes(encoding)) ?? null;
}
