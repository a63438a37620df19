import { createReadStream } from 'node:fs';
import { LIMITS } from '@hub/contract/limits';
import type { Cli } from './cli.ts';
import { CliError, fileReason } from './errors.ts';
import { EXIT } from './exit-codes.ts';

/** The name that stands for standard input, as in other programs. */
export const STDIN = '-';

/** The text of a file, or of standard input for `-`. A byte order mark and the newline at the end do not belong to it. */
export async function readSource(cli: Cli, source: string): Promise<string> {
  const name = source === STDIN ? 'Standard input' : source;
  const bytes = await readBytes(source === STDIN ? cli.deps.stdin.chunks() : createReadStream(source), name);
  return decode(bytes, name).replace(/\r?\n$/, '');
}

/** No more than the server takes is held: what is longer is refused here. */
async function readBytes(chunks: AsyncIterable<Uint8Array>, name: string): Promise<Uint8Array> {
  const kept: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of chunks) {
      length += chunk.byteLength;
      if (length > LIMITS.bodyBytes) break;
      kept.push(chunk);
    }
  } catch (error) {
    throw unreadable(name, error);
  }
  if (length <= LIMITS.bodyBytes) return Buffer.concat(kept);
  throw new CliError('too_large', EXIT.failed, `${name} is longer than a post can be (${LIMITS.bodyBytes} bytes).`, {
    hint: 'Post the part that people should read, and a link to the rest.',
  });
}

export function unreadable(name: string, error: unknown): CliError {
  return new CliError('unreadable', EXIT.failed, `${name} cannot be read: ${fileReason(error)}.`);
}

/** What was read holds nothing. */
export function emptyInput(message: string, hint?: string): CliError {
  return new CliError('empty', EXIT.failed, message, { hint });
}

function decode(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
    const from = isUtf16 ? 'UTF-16' : 'ISO-8859-1';
    throw new CliError('invalid', EXIT.failed, `${name} is not UTF-8 text${isUtf16 ? ' but UTF-16' : ''}.`, {
      hint: `Convert it first, for example: iconv -f ${from} -t UTF-8`,
    });
  }
}

/** A secret that was piped in, but for the newline at its end. `flag` is the option that asks for it. */
export async function readPipedSecret(cli: Cli, flag: string): Promise<string> {
  const secret = cli.deps.stdin.isTTY ? '' : await readSource(cli, STDIN);
  if (secret !== '') return secret;
  throw emptyInput(`${flag} found nothing on standard input.`, `Pipe the secret in, for example: … ${flag} < FILE`);
}
