import { closeSync, fsyncSync, openSync, unlinkSync, writeSync } from 'node:fs';
import type { IssuedKey } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import type { Sink } from '../../runtime/deps.ts';
import { CliError, usageError, writeReason } from '../../runtime/errors.ts';
import { EXIT } from '../../runtime/exit-codes.ts';
import { namingOptions } from '../../runtime/name-options.ts';
import { styled } from '../../runtime/output.ts';
import { UNWRITABLE, unwritableReason } from '../../runtime/written.ts';

export interface OutOptions {
  /** The name of the new key, if the command line has it. */
  name?: string;
  out?: string;
}

export function addOutOption(command: Command): Command {
  return command.option('--out <file>', 'write the key to a new file that only you can read, instead of showing it');
}

export const ISSUED_PRINTS =
  'The key alone on standard output, this once; all else goes to standard error.\n' +
  'With --json: {"id", "key", "hubId", "name", "scopes", "state", "expiresAt", …}.\n' +
  'With --out the file holds the key, and the JSON has "keyFile" instead of "key".';

/**
 * Lets the server make a key and hands it over: to the screen, into the JSON document, or into a file. The file is made
 * first, for a key that cannot be written down is lost.
 */
export async function revealKey(
  cli: Cli,
  { out, name }: OutOptions,
  make: () => Promise<IssuedKey>,
  describe: (issued: IssuedKey) => string[],
): Promise<void> {
  const issue = () =>
    make().catch((error) => {
      throw namingOptions(error, { name: name && '--name' });
    });
  const { stdout } = cli.deps;
  if (out === undefined && stdout.problem !== undefined) {
    const reason = unwritableReason(stdout.problem);
    throw new CliError(UNWRITABLE, EXIT.failed, `The key could not be shown: ${reason}. No key was made.`);
  }
  const issued = out === undefined ? await issue() : await makeIntoFile(out, issue);
  if (cli.json) {
    const { key, ...rest } = issued;
    cli.output.document(out === undefined ? issued : { ...rest, keyFile: out });
    return out === undefined ? await requireShown(stdout, issued) : undefined;
  }
  for (const line of describe(issued)) cli.output.note(line);
  if (out !== undefined) {
    cli.output.note(`The key is in ${out}, which only you can read. It cannot be shown again.`);
    cli.output.note(styled('dim', `To post with it: hubctl post --key-file ${out} 'Hello'`));
    return;
  }
  cli.output.note();
  cli.output.line(issued.key);
  await requireShown(stdout, issued);
  cli.output.note();
  cli.output.note(styled('yellow', 'The key is shown only this once: store it now.'));
  cli.output.note('To post with it, without leaving it in the history of the shell:');
  cli.output.note("  hubctl post --key-stdin 'Hello'", styled('dim', '   # then paste the key, and Enter'));
}

/** A key that nobody has seen, also since nobody reads, is no use, but it works. */
async function requireShown(stdout: Sink, issued: IssuedKey): Promise<void> {
  await stdout.drained();
  if (stdout.problem === undefined) return;
  const reason = stdout.problem === 'EPIPE' ? 'nobody reads it' : unwritableReason(stdout.problem);
  throw new CliError(UNWRITABLE, EXIT.failed, `The key ${issued.id} was made, but it could not be shown: ${reason}.`, {
    hint:
      'It is lost, and it works. Give it a successor that can be shown, or written with --out FILE, and end it:\n' +
      `  hubctl keys replace ${issued.id}\n` +
      `Or only end it:\n  hubctl keys revoke ${issued.id}`,
  });
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
      throw usageError(`${path} is there already. No key was made.`, 'Choose another file for --out.');
    }
    const message = `${path} cannot be written: ${writeReason(error)}. No key was made.`;
    throw new CliError('failed', EXIT.failed, message, { hint: 'Choose another file for --out.' });
  }
}

function writeKey(file: number, path: string, issued: IssuedKey): void {
  try {
    writeSync(file, `${issued.key}\n`);
    fsyncSync(file);
  } catch (error) {
    throw new CliError(
      'failed',
      EXIT.failed,
      `The key ${issued.id} was made, but ${path} could not be written: ${writeReason(error)}.`,
      {
        hint: `It is lost. Make room, then replace it: hubctl keys replace ${issued.id}`,
      },
    );
  }
}
