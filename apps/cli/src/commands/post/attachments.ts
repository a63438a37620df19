import { openAsBlob } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { HubClient, UploadedFile } from '@hub/client';
import { LIMITS } from '@hub/contract/limits';
import type { Cli } from '../../runtime/cli.ts';
import { usageError } from '../../runtime/errors.ts';
import { requireFile, STDIN } from '../../runtime/files.ts';
import { type PostOptions, stdinTakenTwice } from './options.ts';

/** A file to upload: a path, or the bytes of standard input. */
export interface Attachment {
  name: string;
  content: string | Uint8Array;
}

/** Checks the options, and returns what reads the files. Standard input can be one of them. */
export function attachmentsReader(
  cli: Cli,
  { attach = [], attachName, keyStdin }: PostOptions,
  isStdinRead: boolean,
): () => Promise<Attachment[]> {
  const fromStdin = attach.filter((file) => file === STDIN).length;
  if (attach.length > LIMITS.filesPerItem)
    throw usageError(`There are ${attach.length} files to attach; at most ${LIMITS.filesPerItem} are possible.`);
  if (fromStdin > 1 || (fromStdin === 1 && isStdinRead)) throw usageError('Standard input can be read once only.');
  if (fromStdin === 1 && keyStdin) throw stdinTakenTwice('file');
  if (attachName !== undefined && fromStdin === 0) throw usageError('--attach-name names the file of --attach -.');
  return () =>
    Promise.all(
      attach.map(async (file) => {
        if (file !== STDIN) {
          requireFile(file);
          return { name: basename(file), content: resolve(file) };
        }
        const bytes = Buffer.concat(await Array.fromAsync(cli.deps.stdin.chunks()));
        return { name: attachName ?? 'stdin.txt', content: bytes };
      }),
    );
}

/** Uploads one file, and returns its id. */
export async function upload(hub: HubClient, { name, content }: Attachment): Promise<string> {
  const { id }: UploadedFile = await hub.files.upload(await blobOf(content), { name });
  return id;
}

/** Opens a file without reading it. */
export async function blobOf(content: Attachment['content']): Promise<Blob> {
  return typeof content === 'string' ? openAsBlob(content) : new Blob([new Uint8Array(content)]);
}
