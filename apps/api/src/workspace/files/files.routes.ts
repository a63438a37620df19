import { serve, withRawBody } from '../../http/operations/serve.ts';
import { streamedBody } from '../../http/read-body.ts';
import { isAmong } from '../../http/static-file.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { streamPieces } from '../../platform/stream-pieces.ts';
import { readableHub } from '../hubs/hub-rights.ts';
import { type FileDeps, listFiles, readableFile } from './files.ts';
import { isInline } from './images.ts';
import { uploadFile } from './upload-file.ts';

/** The bytes of a file never change. A browser may not show what it kept to the next user who signs in there. */
const KEPT_BY_BROWSER = {
  'cache-control': 'private, max-age=31536000, immutable',
  vary: 'authorization, cookie',
} as const;

/** Routes for the files of items: uploads by users, downloads and previews. */
export function filesRoutes(deps: FileDeps) {
  return serve({
    'POST /hubs/{hubId}/files': withRawBody(async ({ caller, params, query, request }) => {
      const { id: hubId } = await readableHub(deps.store, caller, params.hubId);
      return uploadFile(deps, {
        hubId,
        ...query,
        body: streamedBody(request),
        authorize: (tx) => readableHub(tx, caller, hubId),
      });
    }),
    'GET /hubs/{hubId}/files': ({ caller, params, query }) => listFiles(deps, caller, { ...params, ...query }),
    'GET /files/{fileId}': async ({ caller, params, request }) => {
      const file = await readableFile(deps, caller, params.fileId);
      const headers = {
        'content-type': file.contentType,
        'content-disposition': `${isInline(file.contentType) ? 'inline' : 'attachment'}; ${fileNameOf(file.name)}`,
        ...KEPT_BY_BROWSER,
        'accept-ranges': 'bytes',
        etag: `"${file.sha256}"`,
      };
      if (isAmong(headers.etag, request.headers.get('if-none-match')))
        return new Response(null, { status: 304, headers });
      const range = rangeOf(request.headers, file);
      if (range === 'unsatisfiable') throw outOfRange(file.size);
      const { start, end } = range ?? { start: 0, end: file.size };
      const content = deps.store.contents.read(file.id, { start, end });
      const body = content instanceof Blob ? content : streamed(content);
      const part = range && { 'content-range': `bytes ${start}-${end - 1}/${file.size}` };
      return new Response(body, {
        status: range ? 206 : 200,
        headers: { ...headers, ...part, 'content-length': String(end - start) },
      });
    },
    'GET /backups/files/{fileId}': async ({ params: { fileId } }) => {
      const size = await deps.store.files.findSize(fileId);
      if (size === null) throw notFound('file', fileId);
      const content = deps.store.contents.read(fileId, { start: 0, end: size });
      return new Response(content instanceof Blob ? content : streamed(content), {
        headers: { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' },
      });
    },
    'GET /files/{fileId}/preview': async ({ caller, params }) => {
      const bytes = await deps.previews.find(await readableFile(deps, caller, params.fileId));
      return new Response(new Uint8Array(bytes), {
        headers: { 'content-type': 'image/webp', 'content-disposition': 'inline', ...KEPT_BY_BROWSER },
      });
    },
  });

  function streamed(content: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
    return streamPieces(content, {
      clock: deps.clock,
      onError: (err) => deps.log.warn({ err }, 'Download interrupted'),
    });
  }
}

function outOfRange(size: number): AppError {
  const headers = { 'content-range': `bytes */${size}` };
  return new AppError('out_of_range', `The range is not within the file, which has ${size} bytes.`, headers);
}

/** Returns the parameter with the name of a file, for clients of RFC 6266 and for older ones. */
function fileNameOf(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
  return `filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** Returns one range of bytes (RFC 9110, section 14.1.2); `null`: all of them. Several ranges, or none that is valid, are ignored. */
function rangeOf(headers: Headers, { size, sha256 }: { size: number; sha256: string }) {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(headers.get('range')?.trim() ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  const ifRange = headers.get('if-range');
  if (ifRange !== null && ifRange !== `"${sha256}"`) return null;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  if (start >= size || (first === '' && Number(last) === 0)) return 'unsatisfiable';
  return end > start ? { start, end } : null;
}
