import Check from 'icon:check';
import Copy from 'icon:copy';
import { useRef, useState } from 'preact/hooks';
import { writeClipboard } from '../../ui/clipboard.ts';

interface SecretProps {
  text: string;
  /** "key" or "token". */
  noun: string;
  /** Whether copying is the main action now. */
  isMain: boolean;
  onCopied: () => void;
}

/** A secret with a copy button; selecting and copying it by hand counts as copied, too. */
export function Secret({ text, noun, isMain, onCopied }: SecretProps) {
  const code = useRef<HTMLElement>(null);
  const [status, setStatus] = useState<'' | 'Copied' | 'Couldn’t copy. The text is selected: press Ctrl+C or ⌘C.'>('');
  const onCopy = () => {
    setStatus('Copied');
    onCopied();
  };
  const copy = async () => {
    if (await writeClipboard(text)) return onCopy();
    if (code.current) getSelection()?.selectAllChildren(code.current);
    setStatus('Couldn’t copy. The text is selected: press Ctrl+C or ⌘C.');
  };
  const copiedByHand = () => {
    if (getSelection()?.toString().includes(text)) onCopy();
  };
  return (
    <div>
      <div class="secret">
        <code ref={code} onCopy={copiedByHand}>
          {text}
        </code>
        <button class={isMain ? 'btn is-main' : 'btn'} type="button" autofocus onClick={() => void copy()}>
          {status === 'Copied' ? <Check size="s" /> : <Copy size="s" />}
          {status === 'Copied' ? 'Copied' : 'Copy'}
          <span class="sr"> {noun}</span>
        </button>
      </div>
      <p class={status === 'Copied' ? 'sr' : 'secret-help'} role="status">
        {status}
      </p>
    </div>
  );
}
