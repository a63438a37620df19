import { arriving } from '../../runtime/arriving.ts';
import type { Cli } from '../../runtime/cli.ts';
import { CliError } from '../../runtime/errors.ts';
import { EXIT } from '../../runtime/exit-codes.ts';

/** The server sends nothing until its copy is complete, and a large database takes its time. */
const COPIED_WITHIN_MS = 60 * 60 * 1000;

/** What the server says of the backup that it sends. */
export interface SentBackup {
  id: string;
  bytes: number;
  /** In hexadecimal. */
  sha256: string;
}

/**
 * The bytes of a new backup as they arrive. Fails if they are not exactly those that the server has sent. `onBegin` is told
 * what the server says of them before the first one comes.
 */
export async function* receiveBackup(
  { api }: Cli,
  stop: AbortSignal,
  onBegin: (backup: SentBackup) => void,
): AsyncGenerator<Uint8Array> {
  const hasher = new Bun.CryptoHasher('sha256');
  let bytes = 0;
  let sent: SentBackup | undefined;
  const pieces = arriving((signal) => api.stream('/backups', signal, 'POST'), {
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
  throw new CliError('unreachable', EXIT.unreachable, 'The backup did not arrive as the server has sent it.', {
    hint: 'Try again. If it happens again, look at what is between hubctl and the server.',
  });
}

function readHeaders(headers: Headers): SentBackup {
  const id = headers.get('hub-backup-id');
  const bytes = Number(headers.get('hub-backup-bytes') ?? Number.NaN);
  const digest = /\bsha-256=:([A-Za-z0-9+/]{43}=):/.exec(headers.get('repr-digest') ?? '')?.[1];
  if (id !== null && Number.isSafeInteger(bytes) && digest !== undefined) {
    return { id, bytes, sha256: Buffer.from(digest, 'base64').toString('hex') };
  }
  throw new CliError('unexpected_answer', EXIT.failed, 'The server does not say what it sends.', {
    hint: 'Check that hubctl and the server have the same version: hubctl status',
  });
}
