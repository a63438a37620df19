import type { Cli } from '../../runtime/cli.ts';
import { usageError } from '../../runtime/errors.ts';
import { emptyInput, readSource, STDIN } from '../../runtime/read-source.ts';

interface Wanted {
  /** The field name for error messages: `text`, `content`, `title`. */
  what: string;
  /** The value from the command line; `-` is standard input. */
  argument: string | undefined;
  /** The value of `--file`; `-` is standard input. */
  file?: string | undefined;
  /** Whether the key comes from standard input. */
  keyStdin: boolean | undefined;
}

/**
 * Validates the command line and returns a function that reads the text of a post: from the argument, else the file,
 * else standard input if that is not a terminal, else a prompt. Rejects an argument together with a file. With an
 * argument, standard input is not read, since in builds it is often a pipe that never ends.
 */
export function textReader(cli: Cli, { what, argument, file, keyStdin }: Wanted): () => Promise<string> {
  if (argument !== undefined && file !== undefined) {
    throw usageError(`The ${what} is given both as an argument and with --file.`, 'Remove one of them.');
  }
  const isPiped = !cli.deps.stdin.isTTY;
  const source = argument === STDIN ? STDIN : (file ?? (argument === undefined && isPiped ? STDIN : undefined));
  if (source === STDIN && keyStdin) throw stdinTakenTwice(what);
  if (source === undefined) return async () => argument ?? (await ask(cli, what));
  return async () => {
    const text = await readSource(cli, source);
    // White space is treated as empty, as on the server.
    if (text.trim() !== '') return text;
    throw emptyInput(`The ${what} is empty: ${source === STDIN ? 'standard input' : source} has no text.`);
  };
}

export function stdinTakenTwice(what: string): Error {
  return usageError(
    `--key-stdin reads standard input, so the ${what} cannot come from there.`,
    `Pass the ${what} as an argument or in a file.`,
  );
}

async function ask(cli: Cli, what: string): Promise<string> {
  const missing = `The ${what} is missing. Pass it as an argument, in a file, or on standard input.`;
  const title = `${what.charAt(0).toUpperCase()}${what.slice(1)}:`;
  return await cli.response(undefined, missing, (prompts) =>
    prompts.text(title, (response) => response !== '' || `The ${what} is empty.`),
  );
}
