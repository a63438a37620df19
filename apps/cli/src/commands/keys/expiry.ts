import { type Command, Option, type OptionValues } from '@commander-js/extra-typings';
import type { IssuedKey, RotateKeyBody } from '@hub/contract';
import { LIMITS } from '@hub/contract/limits';

import type { NoOptions, OptionsOf } from '../../runtime/command-line.ts';
import type { Prompts } from '../../runtime/deps.ts';
import { usageError } from '../../runtime/errors.ts';
import { isDay, isInstant, readDuration, showTimeAndDistance } from '../../runtime/format.ts';

type ExpiryOptions = OptionsOf<typeof addExpiryOptions<[], NoOptions>>;

/** The expiry fields of a request. Without them, the default of the command applies. */
type Expiry = Pick<RotateKeyBody, 'expiresAt' | 'lifetimeSeconds'>;

export function addExpiryOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .addOption(new Option('--expires-in <duration>', 'Expire after this time: 12h, 90d, 2w').conflicts('expiresAt'))
    .addOption(
      new Option(
        '--expires-at <time>',
        'Expire on this day (2027-01-31, at 00:00 UTC) or at this time (2027-01-31T09:00+01:00)',
      ),
    );
}

/** @throws a usage error if a value is malformed or in the past. */
export function readExpiry({ expiresIn, expiresAt }: ExpiryOptions, nowMs: number): Expiry {
  if (expiresIn !== undefined) {
    const lifetimeSeconds = readDuration('--expires-in', expiresIn);
    if (lifetimeSeconds === 0) throw usageError('--expires-in must be more than 0.', 'Omit it for no expiry.');
    if (lifetimeSeconds > LIMITS.lifetimeSeconds) {
      throw usageError(`--expires-in ${expiresIn} is more than 100 years.`, 'Omit it for no expiry.');
    }
    return { lifetimeSeconds };
  }
  if (expiresAt === undefined) return {};
  const instant = isDay(expiresAt) ? `${expiresAt}T00:00Z` : expiresAt;
  if (!isInstant(instant)) {
    throw usageError(
      `Invalid --expires-at date "${expiresAt}".`,
      'Use a day (2027-01-31, at 00:00 UTC), or a date and time with Z or an offset: 2027-01-31T09:00+01:00.',
    );
  }
  if (Date.parse(instant) <= nowMs) {
    throw usageError(`--expires-at ${expiresAt} is in the past.`, 'Use a time in the future.');
  }
  return { expiresAt: instant };
}

/** Prompts with the same choices as the web form. The first one is the default. */
export async function askExpiry(prompts: Prompts, nowMs: number): Promise<Expiry> {
  const response = await prompts.choose('When should the key expire?', [
    { name: 'In 365 days', value: '365d' },
    { name: 'In 90 days', value: '90d' },
    { name: 'In 30 days', value: '30d' },
    { name: 'On a date', value: 'date' },
    { name: 'Never', value: 'never' },
  ]);
  if (response === 'never') return {};
  if (response !== 'date') return readExpiry({ expiresIn: response }, nowMs);
  const date = await prompts.text('Expiry date, at 00:00 UTC (YYYY-MM-DD):', (text) => {
    if (!isDay(text)) return 'Use the format 2027-01-31.';
    return Date.parse(text) > nowMs || 'Use a date in the future.';
  });
  return { expiresAt: `${date}T00:00:00Z` };
}

export function expiryText({ expiresAt }: Pick<IssuedKey, 'expiresAt'>, nowMs: number): string {
  return expiresAt === null ? 'never expires' : `expires ${showTimeAndDistance(expiresAt, nowMs)}`;
}
