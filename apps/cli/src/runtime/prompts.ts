import { emitKeypressEvents } from 'node:readline';
import type { Choice, Prompts } from './deps.ts';
import { CliError, EXIT } from './errors.ts';
import { plainLine, wrapText } from './terminal-text.ts';

type Inquirer = typeof import('./inquirer.ts');
interface Context {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
  signal: AbortSignal;
}

/**
 * Prompts on the terminal, drawn on standard error so that standard output contains only the result. Questions and
 * choices contain untrusted names, so both are sanitized.
 */
export function terminalPrompts(input: NodeJS.ReadStream, output: NodeJS.WriteStream): Prompts {
  const question = (text: string) => wrapText(plainLine(text), (output.columns ?? 80) - 2).join('\n');
  const harmless = <T>(choices: Choice<T>[]) => choices.map((choice) => ({ ...choice, name: plainLine(choice.name) }));
  const ask = async <T>(show: (inquirer: Inquirer, context: Context) => Promise<T>): Promise<T> => {
    // Loaded on demand: most commands never prompt, and loading this takes longer than everything else.
    const inquirer = await import('./inquirer.ts');
    const aborted = new AbortController();
    const stopListening = onEndOfInput(input, () => aborted.abort());
    try {
      return await show(inquirer, { input, output, signal: aborted.signal });
    } catch (error) {
      if (isInterruption(error)) {
        throw new CliError('cancelled', 'Canceled. Nothing was changed.', {}, EXIT.interrupted);
      }
      throw error;
    } finally {
      stopListening();
    }
  };

  return {
    text: async (text, check = () => true) => {
      const validate = (response: string) => check(response.trim());
      const response = await ask((prompts, context) => prompts.input({ message: question(text), validate }, context));
      return response.trim();
    },
    secret: (text) => {
      // Hide even the length, and disable the key that would reveal the input.
      const config = { message: question(text), toggleMask: false, theme: { style: { maskedText: '(hidden)' } } };
      return ask((prompts, context) => prompts.password(config, context));
    },
    choose: (text, choices) => {
      const all = harmless(choices);
      const source = (typed = '') => {
        const words = typed.toLowerCase().split(/\s+/);
        return all.filter(({ name, description = '' }) => {
          const where = `${name} ${description}`.toLowerCase();
          return words.every((word) => where.includes(word));
        });
      };
      return ask((prompts, context) => prompts.search({ message: question(text), source }, context));
    },
    chooseSome: (text, choices, { mayBeNone = false } = {}) => {
      const selectable = harmless(choices).map(({ isSelected = false, ...choice }) => ({
        ...choice,
        checked: isSelected,
      }));
      const config = { message: question(text), choices: selectable, required: !mayBeNone };
      return ask((prompts, context) => prompts.checkbox(config, context));
    },
    confirm: (text) => ask((prompts, context) => prompts.confirm({ message: question(text), default: false }, context)),
  };
}

/** Calls back on Ctrl-D or a closed terminal, which would otherwise leave the prompt waiting forever. */
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
