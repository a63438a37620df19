import { HubUsageError } from './errors.ts';

/** Rejects what a program without types may pass: `fetch` would send a path as if it were the file. */
export function checkUpload(file: unknown, name: unknown): void {
  const isObject = typeof file === 'object' && file !== null && ('getReader' in file || 'stream' in file);
  if (!isObject && !ArrayBuffer.isView(file) && !(file instanceof ArrayBuffer))
    throw new HubUsageError(
      'The file must be a Blob, a Uint8Array or a ReadableStream. Open a path first, such as with fs.openAsBlob; pass Readable.toWeb(stream) for a stream of Node.',
    );
  if (typeof name !== 'string') throw new HubUsageError("The file needs a name: { name: 'report.png' }.");
}

/** Reads a stream to its end. An abort ends this with the signal's reason, and cancels the stream. */
export function readStream(stream: ReadableStream<Uint8Array>, signal: AbortSignal | undefined): Promise<Blob> {
  const ended = signal ? stream.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), { signal }) : stream;
  return new Response(ended).blob();
}
