import type { Hub } from '@hub/contract';
import type { Cli } from '../../runtime/cli.ts';

/** Names need not be unique, but who has two of one name has mostly run a script twice. */
export async function warnOfNamesakes(cli: Cli, hub: Hub): Promise<void> {
  // It is done: that the others cannot be listed must not look as if it were not.
  const live = await cli.api.all<Hub>('/hubs', { state: 'live' }).catch(() => []);
  const others = live.filter((other) => other.name === hub.name && other.id !== hub.id);
  if (others.length === 0) return;
  const ids = others.map((other) => other.id).join(', ');
  cli.output.warn(`Another Hub is named "${hub.name}" too: ${ids}. From now on, name them by their ids.`);
}
