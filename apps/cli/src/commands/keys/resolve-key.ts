import type { ApiKey } from '@hub/contract';
import type { Cli } from '../../runtime/cli.ts';
import { failed } from '../../runtime/errors.ts';
import { resolve, type Wanted } from '../../runtime/resolve.ts';
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

/** Resolves a key from its ID or from a name that only one suitable key has, or lets the user choose one. */
export async function keyFor(cli: Cli, wanted: Wanted<ApiKey>): Promise<ApiKey> {
  const { reference } = wanted;
  if (reference !== undefined && /^key_[0-9A-Z]{26}$/.test(reference)) {
    return await cli.api.get<ApiKey>(`/keys/${segment(reference)}`);
  }
  return await resolve(cli, wanted, {
    list: () => cli.api.all<ApiKey>('/keys'),
    question: 'Which key?',
    choice: (key) => `${key.name}, ${key.hubName}, ${key.hint}, ${stateOf(key)}`,
    none: () => failed('not_found', 'No matching keys.', 'To list all keys: hubctl keys list'),
    unknown: (name) => failed('not_found', `No key with the name or ID "${name}".`, 'To list keys: hubctl keys list'),
    ambiguous: {
      plural: 'keys',
      instead: 'an ID',
      line: (key) => `${key.id}  ${key.hint}, ${stateOf(key)}, Hub ${plainLine(key.hubName)}`,
    },
  });
}
