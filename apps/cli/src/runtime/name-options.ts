import { CliError } from './errors.ts';
import { EXIT } from './exit-codes.ts';

/** Option names by field name, for fields that only an option can set. */
const OPTION_OF_FIELD: Readonly<Record<string, string>> = {
  dueDate: '--due',
  expiresAt: '--expires-at',
  from: '--from',
  lifetimeSeconds: '--expires-in',
  retentionDays: '--retention-days',
  to: '--to',
};

/**
 * Rewords a validation error from the server (400) with option names instead of field names. A value from the command
 * line is a usage error (exit 2), no matter whether hubctl or the server detects it; other values are errors (exit 1).
 *
 * `given`: the option or argument that set each field; undefined if the value came from elsewhere.
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
    // This applies to JSON; the option has its own keyword.
    .replace(/; send null to clear it$/, '');
  if (option === undefined) return new CliError(error.code, error.exitCode, message, error.details);
  return new CliError('usage', EXIT.usage, message, error.details);
}
