import Check from 'icon:check';
import Copy from 'icon:copy';
import { useRef, useState } from 'preact/hooks';
import { writeClipboard } from '../../ui/clipboard.ts';

interface SecretProps {
  text: string;
  /** What it is: "key", "token". */
  noun: string;
  /** Copying it is what is to be done now. */
  isMain: boolean;
  onCopied: () => void;
}

/** A secret to be copied, by its button or by hand. */
export function Secret({ text, noun, isMain, onCopied }: SecretProps) {
  const code = useRef<HTMLElement>(null);
  const [says, setSays] = useState<'' | 'Copied' | 'It is selected. Copy it with the keyboard.'>('');
  const noteCopied = () => {
    setSays('Copied');
    onCopied();
  };
  const copy = async () => {
    if (await writeClipboard(text)) return noteCopied();
    if (code.current) getSelection()?.selectAllChildren(code.current);
    setSays('It is selected. Copy it with the keyboard.');
  };
  const copiedByHand = () => {
    if (getSelection()?.toString().includes(text)) noteCopied();
  };
  return (
    <div>
      <div class="secret">
        <code ref={code} onCopy={copiedByHand}>
          {text}
        </code>
        <button class={isMain ? 'btn is-main' : 'btn'} type="button" autofocus onClick={() => void copy()}>
          {says === 'Copied' ? <Check size="s" /> : <Copy size="s" />}
          {says === 'Copied' ? 'Copied' : 'Copy'}
          <span class="sr"> the {noun}</span>
        </button>
      </div>
      <p class={says === 'Copied' ? 'sr' : 'secret-help'} role="status">
        {says}
      </p>
    </div>
  );
}
