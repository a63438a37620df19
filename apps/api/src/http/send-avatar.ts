import type { AvatarRecord } from '../storage/avatar-store.ts';
import { isAmong } from './static-file.ts';

/**
 * Cached for a year without revalidation: the version in the URL identifies the bytes. Private, because it needs a
 * session.
 */
const IMMUTABLE = 'private, max-age=31536000, immutable';
const REVALIDATED = 'private, no-cache';

/** Returns an avatar: cached permanently if requested by version; 304 for a matching tag. */
export function sendAvatar(request: Request, { type, bytes, version }: AvatarRecord): Response {
  const isByVersion = new URL(request.url).searchParams.get('v') === version;
  const headers = {
    'content-type': type,
    'cache-control': isByVersion ? IMMUTABLE : REVALIDATED,
    etag: `"${version}"`,
    'content-disposition': 'inline',
  };
  if (isAmong(headers.etag, request.headers.get('if-none-match'))) return new Response(null, { status: 304, headers });
  return new Response(new Uint8Array(bytes), { headers });
}
