import type { AvatarRecord } from '../store/avatar-store.ts';
import { isAmong } from './static-file.ts';

/** A year, and never asked for again: the version in the address is that of these bytes. Only for who asked: it needs a session. */
const FOR_EVER = 'private, max-age=31536000, immutable';
const UNTIL_CHANGED = 'private, no-cache';

/** The picture as an answer, for good if it was asked for by its version; 304 for who has it already. */
export function sendAvatar(request: Request, { type, bytes, version }: AvatarRecord): Response {
  const isByVersion = new URL(request.url).searchParams.get('v') === version;
  const headers = {
    'content-type': type,
    'cache-control': isByVersion ? FOR_EVER : UNTIL_CHANGED,
    etag: `"${version}"`,
    'content-disposition': 'inline',
  };
  if (isAmong(headers.etag, request.headers.get('if-none-match'))) return new Response(null, { status: 304, headers });
  return new Response(new Uint8Array(bytes), { headers });
}
