import type { Hub } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { addCommand } from '../../runtime/command-line.ts';
import { unreachableError, usageError } from '../../runtime/errors.ts';
import { requireFree, STDIN, startOfName, writeNewFile } from '../../runtime/files.ts';
import { showBytes } from '../../runtime/format.ts';
import { allWritten } from '../../runtime/output.ts';
import { Progress } from '../../runtime/progress.ts';
import { hubFor } from '../../runtime/resolve.ts';
import { escapeUnprintable } from '../../runtime/terminal-text.ts';
import { streamResponse } from '../../runtime/workspace-api.ts';

/** The argument for standard output, as in other programs. */
const STDOUT = STDIN;

export function addExportHub(hubs: Command, cli: Cli): void {
  addCommand(hubs, 'export [hub]', {
    about: 'Export everything in a Hub to a JSON file, or to a ZIP archive with its files',
    prints:
      'The file and its size. The file is written completely or not at all, and only you can read it.\n' +
      'With --json: {"hubId", "file", "bytes"}. If FILE is -, the export itself is printed instead.',
    examples: [
      'hubctl hubs export Releases',
      'hubctl hubs export Releases releases.json --force',
      'hubctl hubs export Releases --files',
      "hubctl hubs export Releases - | jq '.hub.name'",
    ],
  })
    .argument('[file]', 'File to write; - for standard output (default: named after the Hub and the date)')
    .option('--files', 'Write a ZIP archive of the export and all files of the Hub')
    .option('--force', 'Overwrite the file if it exists')
    .action(async (reference, file, { files = false, force }) => {
      if (files && file === STDOUT) throw usageError('An archive is not text: --files needs a file.');
      if (file !== undefined && file !== STDOUT) requireFree(file, force);
      const hub = await hubFor(cli, reference);
      const path = file ?? fileName(hub, cli.deps.clock.now(), files ? '.zip' : '.json');

      if (path !== STDOUT) requireFree(path, force);
      const operation = files ? 'GET /hubs/{hubId}/archive' : 'GET /hubs/{hubId}/export';
      const response = streamResponse((signal) => cli.api.open(operation, { hubId: hub.id, signal }));
      const content = whole(response, files ? ARCHIVE_END : DOCUMENT_END);
      if (path === STDOUT) return await print(cli, content);
      const progress = new Progress(cli, 'Waiting for the server');
      const counted = progress.counted(`Exporting ${hub.name}`, content);
      const bytes = await writeNewFile(path, counted, force).finally(() => progress.end());
      cli.output.result(
        { hubId: hub.id, file: path, bytes },
        `Exported Hub ${hub.name} to ${path} (${showBytes(bytes)})`,
      );
    });
}

/** `night-shift-2026-03-01.json` */
export function fileName(hub: Pick<Hub, 'id' | 'name'>, now: number, extension = '.json'): string {
  const end = `-${new Date(now).toISOString().slice(0, 10)}${extension}`;
  const words = hub.name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-/, '');
  const name = startOfName(words, end).replace(/-$/, '');
  return `${name || hub.id}${end}`;
}

/** Writes only as fast as the reader reads, so that even a large export does not fill up memory. */
async function print(cli: Cli, content: AsyncIterable<Uint8Array>): Promise<void> {
  const { stdout } = cli.deps;
  const decoder = new TextDecoder();
  const write = async (text: string) => {
    if (text === '') return;
    stdout.write(stdout.isTTY ? escapeUnprintable(text) : text);
    await allWritten(stdout);
  };
  for await (const chunk of content) await write(decoder.decode(chunk, { stream: true }));
  await write(decoder.decode());
}

/** The last bytes of a JSON object, and the first ones of the record that ends a ZIP archive without a comment. */
const DOCUMENT_END = { bytes: [0x7d, 0x0a], fromEnd: 2 };
const ARCHIVE_END = { bytes: [0x50, 0x4b, 5, 6], fromEnd: 22 };

/**
 * Streams an export. Fails if the server disconnects or stalls, or if it does not end like this, so that a partial export
 * is never taken for a complete one.
 */
async function* whole(
  pieces: AsyncIterable<Uint8Array>,
  { bytes, fromEnd }: typeof DOCUMENT_END,
): AsyncGenerator<Uint8Array> {
  let last = Buffer.alloc(0);
  for await (const piece of pieces) {
    last = Buffer.concat([last, piece.slice(-fromEnd)]).subarray(-fromEnd);
    yield piece;
  }
  if (last.length === fromEnd && bytes.every((byte, n) => byte === last[n])) return;
  const hint = "Try again. If it keeps failing, check the server's log.";
  throw unreachableError('The response from the server was incomplete.', hint);
}
