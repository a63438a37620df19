import { createReadStream } from 'node:fs';
import { LIMITS } from '@hub/contract/limits';
import type { Cli } from './cli.ts';
import { type CliError, failed, fileReason } from './errors.ts';

/** The argument for standard input, as in other programs. */
export const STDIN = '-';

/**
 * Reads a file, or standard input for `-`, and strips a byte order mark and the final newline. Rejects input of more than
 * `maxBytes`, by default the maximum body size of the server.
 */
export async function readSource(cli: Cli, source: string, maxBytes: number = LIMITS.bodyBytes): Promise<string> {
  const name = source === STDIN ? 'Standard input' : source;
  const bytes = await readBytes(source === STDIN ? cli.deps.stdin.chunks() : createReadStream(source), name, maxBytes);
  return decode(bytes, name).replace(/\r?\n$/, '');
}

async function readBytes(chunks: AsyncIterable<Uint8Array>, name: string, maxBytes: number): Promise<Uint8Array> {
  const kept: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of chunks) {
      length += chunk.byteLength;
      if (length > maxBytes) break;
      kept.push(chunk);
    }
  } catch (error) {
    throw unreadable(name, error);
  }
  if (length <= maxBytes) return Buffer.concat(kept);
  throw failed(
    'too_large',
    `${name} exceeds the maximum size of a post (${maxBytes} bytes).`,
    'Post the important part, and a link to the rest.',
  );
}

export function unreadable(name: string, error: unknown): CliError {
  return failed('unreadable', `Cannot read ${name}: ${fileReason(error)}.`);
}

/** The error for empty input. */
export function emptyInput(message: string, hint?: string): CliError {
  return failed('empty', message, hint);
}

function decode(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
    const from = isUtf16 ? 'UTF-16' : 'ISO-8859-1';
    throw failed(
      'invalid',
      `${name} is ${isUtf16 ? 'UTF-16, not UTF-8' : 'not UTF-8 text'}.`,
      `Convert it first, for example: iconv -f ${from} -t UTF-8`,
    );
  }
}

/** Reads a piped secret without its final newline. `flag` is the option that requires it. */
export async function readPipedSecret(cli: Cli, flag: string): Promise<string> {
  const secret = cli.deps.stdin.isTTY ? '' : await readSource(cli, STDIN);
  if (secret !== '') return secret;
  throw emptyInput(`${flag}: standard input is empty.`, `Pipe the secret in, for example: … ${flag} < FILE`);
}
