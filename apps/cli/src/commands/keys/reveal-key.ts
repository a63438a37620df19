import { closeSync, fsyncSync, openSync, unlinkSync, writeSync } from 'node:fs';
import type { IssuedKey } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import type { Sink } from '../../runtime/deps.ts';
import { failed, namingOptions, usageError, writeReason } from '../../runtime/errors.ts';
import { styled, UNWRITABLE, unwritableReason } from '../../runtime/output.ts';

export interface OutOptions {
  /** The name of the new key, if given on the command line. */
  name?: string;
  out?: string;
}

export function addOutOption(command: Command): Command {
  return command.option('--out <file>', 'Write the key to a new file that only you can read, instead of showing it');
}

export const ISSUED_PRINTS =
  'The key, on standard output. It is shown only once. Everything else goes to standard error.\n' +
  'With --json: {"id", "key", "hubId", "name", "scopes", "state", "expiresAt", …}.\n' +
  'With --out, the key is in the file and the JSON has "keyFile" instead of "key".';

/**
 * Creates a key on the server and reveals it: on the screen, in the JSON document, or in a file. The file is created
 * first, since a key that cannot be written is lost.
 */
export async function revealKey(
  cli: Cli,
  { out, name }: OutOptions,
  make: () => Promise<IssuedKey>,
  describe: (issued: IssuedKey) => string[],
): Promise<void> {
  const issue = () => make().catch(namingOptions({ name: name && '--name' }));
  const { stdout } = cli.deps;
  if (out === undefined && stdout.problem !== undefined) {
    const reason = unwritableReason(stdout.problem);
    throw failed(UNWRITABLE, `Cannot show the key: ${reason}. No key was issued.`);
  }
  const issued = out === undefined ? await issue() : await makeIntoFile(out, issue);
  if (cli.json) {
    const { key, ...rest } = issued;
    cli.output.document(out === undefined ? issued : { ...rest, keyFile: out });
    return out === undefined ? await requireShown(stdout, issued) : undefined;
  }
  for (const line of describe(issued)) cli.output.note(line);
  if (out !== undefined) {
    cli.output.note(`Saved the key to ${out}, which only you can read. You won't see this key again.`);
    cli.output.note(styled('dim', `To post with it: hubctl post --key-file ${out} 'Hello'`));
    return;
  }
  cli.output.note();
  cli.output.line(issued.key);
  await requireShown(stdout, issued);
  cli.output.note();
  cli.output.note(styled('yellow', "Save this key now. You won't see it again."));
  cli.output.note('To post with it without leaving it in your shell history:');
  cli.output.note("  hubctl post --key-stdin 'Hello'", styled('dim', '   # then paste the key and press Enter'));
}

/** Fails if the key could not be shown, even if only the pipe was closed: the key is valid, but nobody has seen it. */
async function requireShown(stdout: Sink, issued: IssuedKey): Promise<void> {
  await stdout.drained();
  if (stdout.problem === undefined) return;
  const reason = stdout.problem === 'EPIPE' ? 'the output pipe is closed' : unwritableReason(stdout.problem);
  throw failed(
    UNWRITABLE,
    `The key ${issued.id} was issued, but could not be shown: ${reason}.`,
    'The key is valid, but its value is lost. Replace it (add --out FILE to save the new key to a file):\n' +
      `  hubctl keys replace ${issued.id}\n` +
      `Or revoke it:\n  hubctl keys revoke ${issued.id}`,
  );
}

async function makeIntoFile(path: string, make: () => Promise<IssuedKey>): Promise<IssuedKey> {
  const file = openNew(path);
  try {
    const issued = await make().catch((error) => {
      unlinkSync(path);
      throw error;
    });
    writeKey(file, path, issued);
    return issued;
  } finally {
    closeSync(file);
  }
}

function openNew(path: string): number {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      throw usageError(`${path} already exists. No key was issued.`, 'Choose another file for --out.');
    }
    const message = `Cannot write ${path}: ${writeReason(error)}. No key was issued.`;
    throw failed('failed', message, 'Choose another file for --out.');
  }
}

function writeKey(file: number, path: string, issued: IssuedKey): void {
  try {
    writeSync(file, `${issued.key}\n`);
    fsyncSync(file);
  } catch (error) {
    throw failed(
      'failed',
      `The key ${issued.id} was issued, but ${path} could not be written: ${writeReason(error)}.`,
      `The key is lost. Free up disk space, then replace it: hubctl keys replace ${issued.id}`,
    );
  }
}
