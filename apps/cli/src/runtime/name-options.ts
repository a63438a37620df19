import { CliError } from './errors.ts';
import { EXIT } from './exit-codes.ts';

/** What the server calls a field that only an option sets, and what the option is called. */
const OPTION_OF_FIELD: Readonly<Record<string, string>> = {
  dueDate: '--due',
  expiresAt: '--expires-at',
  from: '--from',
  lifetimeSeconds: '--expires-in',
  retentionDays: '--retention-days',
  to: '--to',
};

/**
 * The refusal of a field (400) in the words of the command line, where nobody wrote that field. A value that stood there is
 * wrong usage (exit 2), whether hubctl or the server finds it; one that was read or typed elsewhere is a failure (exit 1).
 *
 * `given`: by field, the option or argument that it came from; undefined if it came from elsewhere.
 */
export function namingOptions(error: unknown, given: Readonly<Record<string, string | undefined>> = {}): unknown {
  if (!(error instanceof CliError) || error.details.statusCode !== 400) return error;
  const options = { ...OPTION_OF_FIELD, ...given };
  const [field = ''] = /^[a-z][a-zA-Z]*(?= )/.exec(error.message) ?? [];
  const isKnown = Object.hasOwn(options, field);
  const option = isKnown ? options[field] : undefined;
  const subject = isKnown ? (option ?? `The ${field}`) : field;
  const message = `${subject}${error.message.slice(field.length)}`
    .replaceAll(/\b[a-z]+[A-Z][a-zA-Z]+\b/g, (word) => OPTION_OF_FIELD[word] ?? word)
    // How JSON would say it; an option says it with a word of its own.
    .replace(/; null clears it$/, '');
  if (option === undefined) return new CliError(error.code, error.exitCode, message, error.details);
  return new CliError('usage', EXIT.usage, message, error.details);
}
