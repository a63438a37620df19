import type { ApiKey } from '@hub/contract';
import type { Cli } from '../../runtime/cli.ts';
import { CliError } from '../../runtime/errors.ts';
import { EXIT } from '../../runtime/exit-codes.ts';
import { plainLine } from '../../runtime/terminal-text.ts';
import { segment } from '../../runtime/workspace-api.ts';

/** A key that can have a successor. */
export function canSucceed(key: ApiKey): boolean {
  return key.successorId === null && !key.isHubDeleted && (key.state === 'active' || key.state === 'blocked');
}

/** A key that nothing of its own has ended, and that is refused until its Hub is restored. */
export function isHubless(key: ApiKey): boolean {
  return key.isHubDeleted && isLive(key);
}

/** How it stands, in a word or two. */
export function stateOf(key: ApiKey): string {
  return isHubless(key) ? 'hub deleted' : key.state;
}

/** A key that still authenticates, also beside its successor. */
export function isLive(key: ApiKey): boolean {
  return key.state !== 'revoked' && key.state !== 'expired';
}

interface Wanted {
  /** What the user called it; undefined to let the person choose. */
  reference: string | undefined;
  /** The usage error if there is neither a reference nor a person. */
  missing: string;
  /** Which keys the command makes sense for: a rotated key has the same name as its successor. */
  matches: (key: ApiKey) => boolean;
}

/** The key that was named, by its id or by a name that only one suitable key has; or the one that the person chooses. */
export async function keyFor(cli: Cli, { reference, missing, matches }: Wanted): Promise<ApiKey> {
  if (reference === undefined) return await chooseKey(cli, missing, matches);
  if (/^key_[0-9A-Z]{26}$/.test(reference)) return await cli.api.get<ApiKey>(`/keys/${segment(reference)}`);
  const named = (await cli.api.all<ApiKey>('/keys')).filter((key) => key.name === reference);
  const suitable = named.filter(matches);
  const candidates = suitable.length > 0 ? suitable : named;
  const [first, ...others] = candidates;
  if (!first) {
    throw new CliError('not_found', EXIT.failed, `There is no key with the name or id "${reference}".`, {
      hint: 'To see which there are: hubctl keys list',
    });
  }
  if (others.length > 0) throw ambiguousKey(reference, candidates);
  return first;
}

async function chooseKey(cli: Cli, missing: string, matches: (key: ApiKey) => boolean): Promise<ApiKey> {
  return await cli.response<ApiKey>(undefined, missing, async (prompts) => {
    const keys = (await cli.api.all<ApiKey>('/keys')).filter(matches);
    if (keys.length === 0) {
      throw new CliError('not_found', EXIT.failed, 'There is no such key.', { hint: 'To see all: hubctl keys list' });
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
    hint: ['Say which by its id:', ...lines].join('\n'),
    candidates: keys.map((key) => key.id),
  });
}
