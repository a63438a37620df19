import type { Cli } from '../../runtime/cli.ts';
import { CliError } from '../../runtime/errors.ts';
import { EXIT } from '../../runtime/exit-codes.ts';
import { streamResponse } from '../../runtime/stream-response.ts';

/** The server sends nothing until its copy is complete, which takes a while for a large database. */
const COPIED_WITHIN_MS = 60 * 60 * 1000;

/** The backup as described in the server's response headers. */
export interface SentBackup {
  id: string;
  bytes: number;
  /** The hash in hexadecimal. */
  sha256: string;
}

/**
 * Streams the bytes of a new backup. Fails if the size or the hash differs from what the server announced. Calls
 * `onBegin` with the announced values before the first chunk.
 */
export async function* receiveBackup(
  { api }: Cli,
  stop: AbortSignal,
  onBegin: (backup: SentBackup) => void,
): AsyncGenerator<Uint8Array> {
  const hasher = new Bun.CryptoHasher('sha256');
  let bytes = 0;
  let sent: SentBackup | undefined;
  const pieces = streamResponse((signal) => api.stream('/backups', signal, 'POST'), {
    beginWithinMs: COPIED_WITHIN_MS,
    stop,
    onResponse: ({ headers }) => {
      sent = readHeaders(headers);
      onBegin(sent);
    },
  });
  for await (const piece of pieces) {
    hasher.update(piece);
    bytes += piece.byteLength;
    yield piece;
  }
  if (bytes === sent?.bytes && hasher.digest('hex') === sent.sha256) return;
  throw new CliError('unreachable', EXIT.unreachable, 'The backup was damaged in transit.', {
    hint: 'Try again. If it keeps failing, check the proxies between hubctl and the server.',
  });
}

function readHeaders(headers: Headers): SentBackup {
  const id = headers.get('hub-backup-id');
  const bytes = Number(headers.get('hub-backup-bytes') ?? Number.NaN);
  const digest = /\bsha-256=:([A-Za-z0-9+/]{43}=):/.exec(headers.get('repr-digest') ?? '')?.[1];
  if (id !== null && Number.isSafeInteger(bytes) && digest !== undefined) {
    return { id, bytes, sha256: Buffer.from(digest, 'base64').toString('hex') };
  }
  throw new CliError('unexpected_answer', EXIT.failed, 'The server sent a backup without its ID, size or checksum.', {
    hint: 'Check that hubctl and the server have the same version: hubctl status',
  });
}
