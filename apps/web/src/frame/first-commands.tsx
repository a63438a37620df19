import Check from 'icon:check';
import Copy from 'icon:copy';
import type { Hub } from '@hub/contract';
import { useRef, useState } from 'preact/hooks';
import { writeClipboard } from '../ui/clipboard.ts';
import { toast } from '../ui/toast.tsx';
import { useWorkspace } from '../workspace/workspace.ts';
import { shellWord } from './shell-word.ts';

/** For a Hub in which nothing is yet: how a program gets a key, in a terminal. */
export function FirstCommands({ hub }: { hub: Pick<Hub, 'name'> | undefined }) {
  const { me } = useWorkspace();
  const name = shellWord(hub?.name ?? 'Releases');
  return (
    <details class="commands">
      <summary>Issue a key in a terminal</summary>
      <ol>
        <Command does="Sign in, once" line={`hubctl login ${location.origin} --email ${shellWord(me.value.email)}`} />
        <Command
          does="Issue a key for a program"
          line={`hubctl keys issue --hub ${name} --name ci --scopes messages,notes,todos`}
        />
        <Command does="Watch what arrives" line="hubctl tail" />
      </ol>
      <p>
        <code>hubctl</code> is one file. In the folder of the server it is <code>bun run hubctl</code>.
      </p>
    </details>
  );
}

function Command({ does, line }: { does: string; line: string }) {
  const code = useRef<HTMLElement>(null);
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    if (await writeClipboard(line)) {
      setCopied(true);
      toast('Copied.');
    } else {
      if (code.current) getSelection()?.selectAllChildren(code.current);
      toast('The line is selected. Copy it with the keyboard.');
    }
  };
  return (
    <li>
      <p>{does}</p>
      <div class="command">
        <code ref={code}>{line}</code>
        <button class="icon-btn is-small" type="button" aria-label={`Copy: ${line}`} onClick={() => void copy()}>
          {isCopied ? <Check /> : <Copy />}
        </button>
      </div>
    </li>
  );
}
