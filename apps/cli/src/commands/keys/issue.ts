import type { IssuedKey, IssueKeyBody, Scope } from '@hub/contract';
import { type Command, Option } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { usageError } from '../../runtime/errors.ts';
import { ADMIN_EXITS, helpNotes } from '../../runtime/help.ts';
import { showTimeAndDistance } from '../../runtime/times.ts';
import { hubFor } from '../hubs/resolve-hub.ts';
import { addExpiryOptions, askExpiry, type Expiry, type ExpiryOptions, readExpiry } from './expiry.ts';
import { addOutOption, ISSUED_PRINTS, type OutOptions, revealKey } from './hand-over-key.ts';
import { shortScopes } from './list.ts';

export interface IssueKeyOptions extends ExpiryOptions, OutOptions {
  hub?: string;
  name?: string;
  scopes?: string;
  neverExpires?: boolean;
}

export function addIssueKey(keys: Command, cli: Cli): void {
  const command = keys
    .command('issue')
    .description('issue a key for one Hub; asks for what is missing')
    .option('--hub <hub>', 'the Hub that it posts into, for ever: its id or name')
    .option('--name <name>', 'what it is for, up to 64 characters')
    .option('--scopes <list>', 'what it may create: messages,notes,todos or some of them');
  addExpiryOptions(command).addOption(
    new Option('--never-expires', 'valid until it is revoked (the default)').conflicts(['expiresIn', 'expiresAt']),
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

export async function issueKey(cli: Cli, options: IssueKeyOptions): Promise<void> {
  // What is wrong on the command line is said before anyone is asked anything.
  const scopesGiven = options.scopes === undefined ? undefined : await readScopes(options.scopes);
  const expiryGiven = readExpiry(options, cli.deps.clock.now());

  const hub = await hubFor(cli, options.hub, MISSING('--hub'), 'live');
  const name = await cli.response(options.name, MISSING('--name'), (prompts) =>
    prompts.text('Name of the key (what is it for?):', (response) => response !== '' || 'A key needs a name.'),
  );
  const scopes = await cli.response(scopesGiven, MISSING('--scopes'), async (prompts) =>
    prompts.chooseSome('What may it create?', await scopeChoices()),
  );
  const expiry = await chooseExpiry(cli, options, expiryGiven);

  const body: IssueKeyBody = { hubId: hub.id, name, scopes, ...expiry };
  await revealKey(
    cli,
    options,
    () => cli.api.post<IssuedKey>('/keys', body),
    (issued) => [
      `Issued the key ${issued.name} (${issued.id}) for the Hub ${issued.hubName}.`,
      `It may create ${shortScopes(issued).replaceAll(',', ', ')} and ${expiryText(issued, cli.deps.clock.now())}.`,
    ],
  );
}

/** Never is a fine default for a script; a person who is being asked anyway is asked this too. */
async function chooseExpiry(cli: Cli, options: IssueKeyOptions, given: Expiry): Promise<Expiry> {
  const isSettled = options.expiresIn !== undefined || options.expiresAt !== undefined || options.neverExpires;
  const wasAsked = options.hub === undefined || options.name === undefined || options.scopes === undefined;
  return isSettled || !wasAsked || !cli.canAsk ? given : await askExpiry(cli.deps.prompts, cli.deps.clock.now());
}

export function expiryText(key: IssuedKey, now: number): string {
  return key.expiresAt === null ? 'never expires' : `expires ${showTimeAndDistance(key.expiresAt, now)}`;
}

// The schemas that come with the scopes are slow to load, and no other command needs them.
const loadScopes = () => import('@hub/contract/scopes');

async function readScopes(list: string): Promise<Scope[]> {
  const { ALL_SCOPES, parseScope } = await loadScopes();
  const text = list
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const scopes = text.map((word) => {
    const scope = parseScope(word);
    if (scope === null) throw usageError(`--scopes: ${word} is no scope.`, 'Name some of: messages,notes,todos');
    return scope;
  });
  if (scopes.length === 0) throw usageError('--scopes is empty.', 'Name some of: messages,notes,todos');
  return ALL_SCOPES.filter((scope) => scopes.includes(scope));
}

async function scopeChoices() {
  const { ALL_SCOPES, SCOPES } = await loadScopes();
  return ALL_SCOPES.map((scope) => ({ name: SCOPES[scope], value: scope }));
}
