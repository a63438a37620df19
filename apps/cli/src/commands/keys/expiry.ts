import type { SucceedKeyBody } from '@hub/contract';
import { type Command, Option } from 'commander';
import type { Prompts } from '../../runtime/deps.ts';
import { usageError } from '../../runtime/errors.ts';
import { parseDuration } from '../../runtime/times.ts';

export interface ExpiryOptions {
  expiresIn?: string;
  expiresAt?: string;
}

/** The expiry fields of a request. Without them, the default of the command applies. */
export type Expiry = Pick<SucceedKeyBody, 'expiresAt' | 'lifetimeSeconds'>;

/** 100 years: the maximum that the server accepts for `lifetimeSeconds`. */
const MAX_LIFETIME_SECONDS = 3_155_760_000;

const INSTANT = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}(:\d{2}(\.\d+)?)?([Zz]|[+-]\d{2}:\d{2})$/;

export function addExpiryOptions(command: Command): Command {
  return command
    .addOption(new Option('--expires-in <duration>', 'Expire after this time: 90d, 12h or 30m').conflicts('expiresAt'))
    .addOption(new Option('--expires-at <time>', 'Expire at this time: 2027-01-31T00:00Z'));
}

/** Returns whether a string is a date and time with an offset, on a valid calendar day. */
export function isInstant(text: string): boolean {
  return INSTANT.test(text) && isDay(text.slice(0, 10));
}

/** Returns whether `YYYY-MM-DD` is a calendar day. `Date` reads February 31 as March 3. */
export function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** @throws a usage error if a value is malformed or in the past. */
export function readExpiry({ expiresIn, expiresAt }: ExpiryOptions, nowMs: number): Expiry {
  if (expiresIn !== undefined) {
    const lifetimeSeconds = parseDuration(expiresIn);
    if (lifetimeSeconds === null) {
      throw usageError(`Invalid --expires-in duration "${expiresIn}".`, 'Use 30m, 12h or 90d.');
    }
    if (lifetimeSeconds > MAX_LIFETIME_SECONDS) {
      throw usageError(`--expires-in ${expiresIn} is more than 100 years.`, 'Omit it for a key that never expires.');
    }
    return { lifetimeSeconds };
  }
  if (expiresAt === undefined) return {};
  if (!isInstant(expiresAt)) {
    throw usageError(
      `Invalid --expires-at date "${expiresAt}".`,
      'Use a date and time with Z or an offset: 2027-01-31T00:00Z or 2027-01-31T09:00+01:00.',
    );
  }
  if (Date.parse(expiresAt) <= nowMs) {
    throw usageError(`--expires-at ${expiresAt} is in the past.`, 'Use a time in the future.');
  }
  return { expiresAt };
}

/** Prompts with the same choices as the web form, but puts the default of the command-line options first. */
export async function askExpiry(prompts: Prompts, nowMs: number): Promise<Expiry> {
  const response = await prompts.choose('When should the key expire?', [
    { name: 'Never', value: 'never' },
    { name: 'In 30 days', value: '30d' },
    { name: 'In 90 days', value: '90d' },
    { name: 'In 365 days', value: '365d' },
    { name: 'On a date', value: 'date' },
  ]);
  if (response === 'never') return {};
  if (response !== 'date') return readExpiry({ expiresIn: response }, nowMs);
  const date = await prompts.text('Expiry date, at 00:00 UTC (YYYY-MM-DD):', (text) =>
    /^\d{4}-\d{2}-\d{2}$/.test(text) && isDay(text) ? true : 'Use the format 2027-01-31.',
  );
  return { expiresAt: `${date}T00:00:00Z` };
}
