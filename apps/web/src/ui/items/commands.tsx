import type { Hub } from '@hub/contract';
import { shellWord } from '@hub/contract/shell-word';
import { Check, Copy } from 'icons';
import { useRef, useState } from 'preact/hooks';
import { IconButton } from '../button.tsx';
import { copyOrSelect } from '../clipboard.ts';
import { toast } from '../toast.tsx';

/** A list item with a command for the terminal and a description. The command contains no secret. */
export function Command({ does, line }: { does: string; line: string }) {
  const code = useRef<HTMLElement>(null);
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    const wasCopied = await copyOrSelect(line, code.current);
    setCopied(wasCopied);
    toast(wasCopied ? 'Copied.' : 'Selected. Copy it with your keyboard.');
  };
  return (
    <li>
      <p>{does}</p>
      <div class="command">
        <code class="grow" ref={code}>
          {line}
        </code>
        <IconButton icon={isCopied ? <Check /> : <Copy />} label={`Copy: ${line}`} onClick={() => void copy()} />
      </div>
    </li>
  );
}

/** The first commands for an empty Hub: how to issue a key in a terminal. */
export function FirstCommands({ hub }: { hub: Pick<Hub, 'name'> | undefined }) {
  const name = shellWord(hub?.name ?? 'Releases');
  return (
    <details class="commands">
      <summary>Use a terminal</summary>
      <ol>
        <Command does="Sign in, once" line={`hubctl login ${shellWord(location.origin)}`} />
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
