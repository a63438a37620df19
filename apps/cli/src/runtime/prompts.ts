import { emitKeypressEvents } from 'node:readline';
import type { Choice, Prompts } from './deps.ts';
import { CliError } from './errors.ts';
import { EXIT } from './exit-codes.ts';
import { plainLine } from './terminal-text.ts';

type Inquirer = typeof import('@inquirer/prompts');
interface Context {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
  signal: AbortSignal;
}

/** Prompts at the terminal. They are drawn on standard error, so that standard output holds nothing but the result. */
export function terminalPrompts(input: NodeJS.ReadStream, output: NodeJS.WritableStream): Prompts {
  const ask = async <T>(question: (inquirer: Inquirer, context: Context) => Promise<T>): Promise<T> => {
    // Most commands never ask, and loading this takes longer than all the rest of them.
    const inquirer = await import('@inquirer/prompts');
    const aborted = new AbortController();
    const stopListening = onEndOfInput(input, () => aborted.abort());
    try {
      return await question(inquirer, { input, output, signal: aborted.signal });
    } catch (error) {
      if (isInterruption(error)) throw new CliError('cancelled', EXIT.interrupted, 'Cancelled. Nothing was done.');
      throw error;
    } finally {
      stopListening();
    }
  };

  return {
    text: (message, check = () => true) =>
      ask(({ input }, context) => input({ message, validate: (answer) => check(answer.trim()) }, context)).then(
        (answer) => answer.trim(),
      ),
    secret: (message) =>
      ask(({ password }, context) => password({ message, mask: true }, context)).then((it) => it.trim()),
    choose: (message, choices) =>
      ask(({ select }, context) => select({ message, choices: harmless(choices) }, context)),
    chooseSome: (message, choices) =>
      ask(({ checkbox }, context) =>
        checkbox(
          { message, required: true, choices: harmless(choices).map((it) => ({ ...it, checked: true })) },
          context,
        ),
      ),
    confirm: (message) => ask(({ confirm }, context) => confirm({ message, default: false }, context)),
  };
}

/** Names come from the server. */
function harmless<T>(choices: Choice<T>[]): Choice<T>[] {
  return choices.map((choice) => ({ ...choice, name: plainLine(choice.name) }));
}

/** Ctrl-D and a closed terminal end the input without settling the prompt, which would wait for ever. */
function onEndOfInput(input: NodeJS.ReadStream, listener: () => void): () => void {
  emitKeypressEvents(input);
  const onKeypress = (_: unknown, key?: { ctrl?: boolean; name?: string }) => {
    if (key?.ctrl && key.name === 'd') listener();
  };
  input.on('keypress', onKeypress).on('end', listener).on('close', listener);
  return () => {
    input.off('keypress', onKeypress).off('end', listener).off('close', listener);
  };
}

function isInterruption(error: unknown): boolean {
  return error instanceof Error && (error.name === 'ExitPromptError' || error.name === 'AbortPromptError');
}
