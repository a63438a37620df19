import type { Hub } from '@hub/contract';
import { useWorkspace } from '../../data/live/workspace.ts';
import { shellWord } from '../../lib/shell-word.ts';
import { Command } from './command.tsx';

/** The first commands for an empty Hub: how to issue a key in a terminal. */
export function FirstCommands({ hub }: { hub: Pick<Hub, 'name'> | undefined }) {
  const { me } = useWorkspace();
  const name = shellWord(hub?.name ?? 'Releases');
  return (
    <details class="commands">
      <summary>Use a terminal</summary>
      <ol>
        <Command does="Sign in, once" line={`hubctl login ${location.origin} --email ${shellWord(me.value.email)}`} />
        <Command
          does="Issue a key for a program"
          line={`hubctl keys issue --hub ${name} --name ci --scopes messages,notes,todos`}
        />
        <Command does="Watch new posts" line="hubctl tail" />
      </ol>
      <p>
        In the server’s folder, use <code>bun run hubctl</code> instead.
      </p>
    </details>
  );
}
