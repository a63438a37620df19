import type { IssuedKey, IssueKeyBody, Scope } from '@hub/contract';
import { type Command, Option } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { usageError } from '../../runtime/errors.ts';
import { ADMIN_EXITS, helpNotes } from '../../runtime/help.ts';
import { hubFor } from '../../runtime/resolve-hub.ts';
import { showTimeAndDistance } from '../../runtime/times.ts';
import { addExpiryOptions, askExpiry, type Expiry, type ExpiryOptions, readExpiry } from './expiry.ts';
import { shortScopes } from './list.ts';
import { addOutOption, ISSUED_PRINTS, type OutOptions, revealKey } from './reveal-key.ts';

interface IssueKeyOptions extends ExpiryOptions, OutOptions {
  hub?: string;
  name?: string;
  scopes?: string;
  neverExpires?: boolean;
}

export function addIssueKey(keys: Command, cli: Cli): void {
  const command = keys
    .command('issue')
    .description('Issue a key for one Hub; prompts for missing options')
    .option('--hub <hub>', 'Set the Hub that the key posts to (ID or name); it cannot be changed later')
    .option('--name <name>', 'Name the key (up to 64 characters)')
    .option('--scopes <list>', 'Set what the key can create: one or more of messages,notes,todos');
  addExpiryOptions(command).addOption(
    new Option('--never-expires', 'Keep the key valid until it is revoked (default)').conflicts([
      'expiresIn',
      'expiresAt',
    ]),
  );
  addOutOption(command).action((options: IssueKeyOptions) => issueKey(cli, options));
  helpNotes(command, {
    prints: ISSUED_PRINTS,
    exits: ADMIN_EXITS,
    examples: [
      'hubctl keys issue',
      'hubctl keys issue --hub Releases --name canary-watch --scopes messages,todos --expires-in 90d',
      'hubctl keys issue --hub Releases --name ci --scopes messages --out /run/secrets/hub-key',
    ],
  });
}

const MISSING = (flag: string) => `${flag} is missing. For example: ${EXAMPLE}`;
const EXAMPLE = 'hubctl keys issue --hub Releases --name ci --scopes messages,notes,todos';

async function issueKey(cli: Cli, options: IssueKeyOptions): Promise<void> {
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
}

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
