import type { Cli } from '../../runtime/cli.ts';
import { usageError } from '../../runtime/errors.ts';
import { emptyInput, readSource, STDIN } from '../../runtime/read-source.ts';

interface Wanted {
  /** What it is, for messages: `text`, `content`, `title`. */
  what: string;
  /** As given on the command line; `-` is standard input. */
  argument: string | undefined;
  /** The value of `--file`; `-` is standard input. */
  file?: string | undefined;
  /** Whether the key comes from standard input. */
  keyStdin: boolean | undefined;
}

/**
 * Returns what reads the text of a post, once the command line is found right: the argument, else the file, else standard input if that is no terminal, else what the person
 * types. An argument and a file together are refused; with an argument, standard input is not looked at, for in a build
 * it is often a pipe that never ends.
 */
export function textReader(cli: Cli, { what, argument, file, keyStdin }: Wanted): () => Promise<string> {
  if (argument !== undefined && file !== undefined) {
    throw usageError(`The ${what} is given twice: as an argument and with --file.`, 'Leave one of them out.');
  }
  const isPiped = !cli.deps.stdin.isTTY;
  const source = argument === STDIN ? STDIN : (file ?? (argument === undefined && isPiped ? STDIN : undefined));
  if (source === STDIN && keyStdin) throw stdinTakenTwice(what);
  if (source === undefined) return async () => argument ?? (await ask(cli, what));
  return async () => {
    const text = await readSource(cli, source);
    // White space counts as nothing, as on the server.
    if (text.trim() !== '') return text;
    throw emptyInput(`The ${what} is empty: nothing came from ${source === STDIN ? 'standard input' : source}.`);
  };
}

export function stdinTakenTwice(what: string): Error {
  return usageError(
    `--key-stdin takes standard input, so the ${what} cannot come from there.`,
    `Give the ${what} as an argument or in a file.`,
  );
}

async function ask(cli: Cli, what: string): Promise<string> {
  const missing = `The ${what} is missing: give it as an argument, in a file, or on standard input.`;
  const title = `${what.charAt(0).toUpperCase()}${what.slice(1)}:`;
  return await cli.response(undefined, missing, (prompts) =>
    prompts.text(title, (response) => response !== '' || `The ${what} is empty.`),
  );
}
