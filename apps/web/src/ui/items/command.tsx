import Check from 'icon:check';
import Copy from 'icon:copy';
import { useRef, useState } from 'preact/hooks';
import { writeClipboard } from '../clipboard.ts';
import { toast } from '../toast.tsx';

/** A list item with a command for the terminal and a description. The command contains no secret. */
export function Command({ does, line }: { does: string; line: string }) {
  const code = useRef<HTMLElement>(null);
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    if (await writeClipboard(line)) {
      setCopied(true);
      toast('Copied.');
    } else {
      if (code.current) getSelection()?.selectAllChildren(code.current);
      toast('Selected. Copy it with your keyboard.');
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
