import type { IssuedKey, IssueKeyBody, Scope, SucceedKeyBody } from '@hub/contract';
import { type Command, Option } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import type { Prompts } from '../../runtime/deps.ts';
import { usageError } from '../../runtime/errors.ts';
import { isDay, isInstant, parseDuration, showTimeAndDistance } from '../../runtime/format.ts';
import { addCommand } from '../../runtime/help.ts';
import { hubFor } from '../../runtime/resolve-hub.ts';
import { addOutOption, ISSUED_PRINTS, type OutOptions, revealKey } from './reveal-key.ts';
import { shortScopes } from './view.ts';

interface IssueKeyOptions extends ExpiryOptions, OutOptions {
  hub?: string;
  name?: string;
  scopes?: string;
  neverExpires?: boolean;
}

export function addIssueKey(keys: Command, cli: Cli): void {
  const command = addCommand(keys, 'issue', {
    about: 'Issue a key for one Hub; prompts for missing options',
    prints: ISSUED_PRINTS,
    examples: [
      'hubctl keys issue',
      'hubctl keys issue --hub Releases --name canary-watch --scopes messages,todos --expires-in 90d',
      'hubctl keys issue --hub Releases --name ci --scopes messages --out /run/secrets/hub-key',
    ],
  })
    .option('--hub <hub>', 'Set the Hub that the key posts to (ID or name); it cannot be changed later')
    .option('--name <name>', 'Name the key (up to 64 characters)')
    .option('--scopes <list>', 'Set what the key can create: one or more of messages,notes,todos');
  addExpiryOptions(command).addOption(
    new Option('--never-expires', 'Keep the key valid until it is revoked (default)').conflicts([
      'expiresIn',
      'expiresAt',
    ]),
  );
  addOutOption(command).action(async (options: IssueKeyOptions) => {
    // Report errors in the command line before any prompt.
    const scopesGiven = options.scopes === undefined ? undefined : await readScopes(options.scopes);
    const expiryGiven = readExpiry(options, cli.deps.clock.now());

    const hub = await hubFor(cli, options.hub, MISSING('--hub'), 'live');
    const name = await cli.response(options.name, MISSING('--name'), (prompts) =>
      prompts.text('Name of the key:', (response) => response !== '' || 'Enter a name.'),
    );
    const scopes = await cli.response(scopesGiven, MISSING('--scopes'), async (prompts) =>
      prompts.chooseSome('What can the key create?', await scopeChoices()),
    );
    const expiry = await chooseExpiry(cli, options, expiryGiven);

    const body: IssueKeyBody = { hubId: hub.id, name, scopes, ...expiry };
    await revealKey(
      cli,
      options,
      () => cli.api.post<IssuedKey>('/keys', body),
      (issued) => [
        `Issued key ${issued.name} (${issued.id}) for Hub ${issued.hubName}.`,
        `Permissions: ${shortScopes(issued).replaceAll(',', ', ')}. The key ${expiryText(issued, cli.deps.clock.now())}.`,
      ],
    );
  });
}

const MISSING = (flag: string) => `${flag} is missing. For example: ${EXAMPLE}`;
const EXAMPLE = 'hubctl keys issue --hub Releases --name ci --scopes messages,notes,todos';

/** Scripts default to never; users who are prompted for other options anyway are prompted for the expiry, too. */
async function chooseExpiry(cli: Cli, options: IssueKeyOptions, given: Expiry): Promise<Expiry> {
  const isSettled = options.expiresIn !== undefined || options.expiresAt !== undefined || options.neverExpires;
  const wasAsked = options.hub === undefined || options.name === undefined || options.scopes === undefined;
  return isSettled || !wasAsked || !cli.canAsk ? given : await askExpiry(cli.deps.prompts, cli.deps.clock.now());
}

export function expiryText(key: IssuedKey, now: number): string {
  return key.expiresAt === null ? 'never expires' : `expires ${showTimeAndDistance(key.expiresAt, now)}`;
}

// Loaded on demand: the scopes depend on schemas that are slow to load, and no other command needs them.
const loadScopes = () => import('@hub/contract/scopes');

async function readScopes(list: string): Promise<Scope[]> {
  const { ALL_SCOPES, parseScope } = await loadScopes();
  const text = list
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const scopes = text.map((word) => {
    const scope = parseScope(word);
    if (scope === null) throw usageError(`Unknown scope "${word}".`, 'Use messages, notes or todos.');
    return scope;
  });
  if (scopes.length === 0) throw usageError('--scopes is empty.', 'Use messages, notes or todos.');
  return ALL_SCOPES.filter((scope) => scopes.includes(scope));
}

async function scopeChoices() {
  const { ALL_SCOPES, SCOPES } = await loadScopes();
  return ALL_SCOPES.map((scope) => ({ name: SCOPES[scope], value: scope }));
}

export interface ExpiryOptions {
  expiresIn?: string;
  expiresAt?: string;
}

/** The expiry fields of a request. Without them, the default of the command applies. */
type Expiry = Pick<SucceedKeyBody, 'expiresAt' | 'lifetimeSeconds'>;

/** 100 years: the maximum that the server accepts for `lifetimeSeconds`. */
const MAX_LIFETIME_SECONDS = 3_155_760_000;

export function addExpiryOptions(command: Command): Command {
  return command
    .addOption(new Option('--expires-in <duration>', 'Expire after this time: 90d, 12h or 30m').conflicts('expiresAt'))
    .addOption(new Option('--expires-at <time>', 'Expire at this time: 2027-01-31T00:00Z'));
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
async function askExpiry(prompts: Prompts, nowMs: number): Promise<Expiry> {
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
