import { CliError } from './errors.ts';

/** What the server calls a field, and what the user of a command called it. */
const OPTION_OF_FIELD: Readonly<Record<string, string>> = {
  dueDate: '--due',
  expiresAt: '--expires-at',
  lifetimeSeconds: '--expires-in',
  retentionDays: '--retention-days',
  runMarker: '--run-marker',
};

/** The refusal of a field in the words of the command line, where nobody wrote that field. */
export function namingOptions(error: unknown): unknown {
  if (!(error instanceof CliError) || (error.details.statusCode !== 400 && error.code !== 'usage')) return error;
  const message = error.message
    .replaceAll(/\b[a-z]+[A-Z][a-zA-Z]+\b/g, (word) => OPTION_OF_FIELD[word] ?? word)
    // The ends of a span, which are words as any other further on.
    .replace(/^(from|to)(?= )/, '--$1')
    // How JSON would say it; an option says it with a word of its own.
    .replace(/; null clears it$/, '');
  return new CliError(error.code, error.exitCode, message, error.details);
}
