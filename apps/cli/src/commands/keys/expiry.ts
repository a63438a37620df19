import type { SucceedKeyBody } from '@hub/contract';
import { type Command, Option } from 'commander';
import type { Prompts } from '../../runtime/deps.ts';
import { usageError } from '../../runtime/errors.ts';
import { parseDuration } from '../../runtime/times.ts';

export interface ExpiryOptions {
  expiresIn?: string;
  expiresAt?: string;
}

/** When a key ends, as the server takes it. Neither field: the default of the command. */
export type Expiry = Pick<SucceedKeyBody, 'expiresAt' | 'lifetimeSeconds'>;

/** 100 years: what the server takes for `lifetimeSeconds`. */
const MAX_LIFETIME_SECONDS = 3_155_760_000;

const INSTANT = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}(:\d{2}(\.\d+)?)?([Zz]|[+-]\d{2}:\d{2})$/;

export function addExpiryOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--expires-in <duration>', 'valid for so long from now: 90d, 12h or 30m').conflicts('expiresAt'),
    )
    .addOption(new Option('--expires-at <time>', 'valid until then: 2027-01-31T00:00Z'));
}

/** Whether a text is a date and a time with an offset, on a day that there is. */
export function isInstant(text: string): boolean {
  return INSTANT.test(text) && isDay(text.slice(0, 10));
}

/** Whether there is the day `YYYY-MM-DD`. `Date` takes 31 February for 3 March. */
export function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** @throws a usage error if a value has another form, or is a time that has passed. */
export function readExpiry({ expiresIn, expiresAt }: ExpiryOptions, nowMs: number): Expiry {
  if (expiresIn !== undefined) {
    const lifetimeSeconds = parseDuration(expiresIn);
    if (lifetimeSeconds === null) {
      throw usageError(
        `--expires-in ${expiresIn} is no duration.`,
        'Write it as 90d, 12h or 30m: days, hours, minutes.',
      );
    }
    if (lifetimeSeconds > MAX_LIFETIME_SECONDS) {
      throw usageError(
        `--expires-in ${expiresIn} is more than 100 years.`,
        'Leave it out for a key that never expires.',
      );
    }
    return { lifetimeSeconds };
  }
  if (expiresAt === undefined) return {};
  if (!isInstant(expiresAt)) {
    throw usageError(
      `--expires-at ${expiresAt} is no point in time.`,
      'Write a date, a time and Z or an offset: 2027-01-31T00:00Z or 2027-01-31T09:00+01:00.',
    );
  }
  if (Date.parse(expiresAt) <= nowMs) {
    throw usageError(`--expires-at ${expiresAt} has passed.`, 'Choose a time that is still to come.');
  }
  return { expiresAt };
}

/** The same choices as in the web form, with the default of the options first. */
export async function askExpiry(prompts: Prompts, nowMs: number): Promise<Expiry> {
  const response = await prompts.choose('When does it expire?', [
    { name: 'Never', value: 'never' },
    { name: 'In 30 days', value: '30d' },
    { name: 'In 90 days', value: '90d' },
    { name: 'In 365 days', value: '365d' },
    { name: 'On a date', value: 'date' },
  ]);
  if (response === 'never') return {};
  if (response !== 'date') return readExpiry({ expiresIn: response }, nowMs);
  const date = await prompts.text('On which date, at 00:00 UTC? (YYYY-MM-DD)', (text) =>
    /^\d{4}-\d{2}-\d{2}$/.test(text) && isDay(text) ? true : 'Write it as 2027-01-31.',
  );
  return { expiresAt: `${date}T00:00:00Z` };
}
