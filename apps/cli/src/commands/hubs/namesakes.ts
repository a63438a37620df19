import type { Hub } from '@hub/contract';
import type { Cli } from '../../runtime/cli.ts';

/** Warns about another Hub with the same name. Duplicates are allowed, but usually mean that a script ran twice. */
export async function warnOfNamesakes(cli: Cli, hub: Hub): Promise<void> {
  // The change is done, so failing to list the other Hubs must not look as if the change had failed.
  const live = await cli.api.all<Hub>('/hubs', { state: 'live' }).catch(() => []);
  const others = live.filter((other) => other.name === hub.name && other.id !== hub.id);
  if (others.length === 0) return;
  const ids = others.map((other) => other.id).join(', ');
  cli.output.warn(`Another Hub is also named "${hub.name}": ${ids}. Use IDs to refer to them.`);
}
