import type { ApiKey } from '@hub/contract';
import type { Cli } from '../../runtime/cli.ts';
import { CliError, EXIT, failed } from '../../runtime/errors.ts';
import { plainLine } from '../../runtime/terminal-text.ts';
import { segment } from '../../runtime/workspace-api.ts';

/** Returns whether a key can be rotated or replaced. */
export function canSucceed(key: ApiKey): boolean {
  return key.successorId === null && !key.isHubDeleted && (key.state === 'active' || key.state === 'blocked');
}

/** Returns whether a key would be valid if its Hub had not been deleted. The key gets 404 until the Hub is restored. */
export function isHubless(key: ApiKey): boolean {
  return key.isHubDeleted && isLive(key);
}

/** Returns the state of a key for tables and lists. */
export function stateOf(key: ApiKey): string {
  return isHubless(key) ? 'hub deleted' : key.state;
}

/** Returns whether a key still authenticates, which includes a rotated key during the overlap. */
export function isLive(key: ApiKey): boolean {
  return key.state !== 'revoked' && key.state !== 'expired';
}

interface Wanted {
  /** The ID or name from the command line; undefined lets the user choose. */
  reference: string | undefined;
  /** The usage error if there is neither a reference nor a terminal. */
  missing: string;
  /** Selects the keys that the command applies to: a rotated key has the same name as its successor. */
  matches: (key: ApiKey) => boolean;
}

/** Resolves a key from its ID or from a name that only one suitable key has, or lets the user choose one. */
export async function keyFor(cli: Cli, { reference, missing, matches }: Wanted): Promise<ApiKey> {
  if (reference === undefined) return await chooseKey(cli, missing, matches);
  if (/^key_[0-9A-Z]{26}$/.test(reference)) return await cli.api.get<ApiKey>(`/keys/${segment(reference)}`);
  const named = (await cli.api.all<ApiKey>('/keys')).filter((key) => key.name === reference);
  const suitable = named.filter(matches);
  const candidates = suitable.length > 0 ? suitable : named;
  const [first, ...others] = candidates;
  if (!first) {
    throw failed('not_found', `No key with the name or ID "${reference}".`, 'To list keys: hubctl keys list');
  }
  if (others.length > 0) throw ambiguousKey(reference, candidates);
  return first;
}

async function chooseKey(cli: Cli, missing: string, matches: (key: ApiKey) => boolean): Promise<ApiKey> {
  return await cli.response<ApiKey>(undefined, missing, async (prompts) => {
    const keys = (await cli.api.all<ApiKey>('/keys')).filter(matches);
    if (keys.length === 0) {
      throw failed('not_found', 'No matching keys.', 'To list all keys: hubctl keys list');
    }
    const choices = keys.map((key) => ({
      name: `${key.name}, ${key.hubName}, ${key.hint}, ${stateOf(key)}`,
      value: key,
      description: key.id,
    }));
    return await prompts.choose('Which key?', choices);
  });
}

function ambiguousKey(reference: string, keys: ApiKey[]): CliError {
  const lines = keys.map((key) => `  ${key.id}  ${key.hint}, ${stateOf(key)}, Hub ${plainLine(key.hubName)}`);
  return new CliError('ambiguous', EXIT.failed, `${keys.length} keys are named "${reference}".`, {
    hint: ['Use an ID instead:', ...lines].join('\n'),
    candidates: keys.map((key) => key.id),
  });
}
