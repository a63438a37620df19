import { Check, Copy, Download, WrapText } from 'icons';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { saveText } from '../../lib/download.ts';
import { type ColoredRun, coloredRuns } from '../../lib/posts/ansi.ts';
import { shownText } from '../../lib/posts/shown-text.ts';
import { IconButton } from '../button.tsx';
import { copyOrSelect } from '../clipboard.ts';

const COPIED_MS = 2_000;

interface CodeToolsProps {
  code: string;
  block: { current: HTMLElement | null };
  isLong: boolean;
  /** `null` if no line is long. */
  isWrapped: boolean | null;
  onWrap: () => void;
}

export function CodeTools({ code, block, isLong, isWrapped, onWrap }: CodeToolsProps) {
  return (
    <>
      {isWrapped !== null && (
        <IconButton icon={<WrapText />} label="Wrap lines" aria-pressed={isWrapped} onClick={onWrap} />
      )}
      {isLong && (
        <IconButton icon={<Download />} label="Download" onClick={() => saveText('code.txt', 'text/plain', code)} />
      )}
      <CopyButton code={code} block={block} />
    </>
  );
}

/** Code with terminal colors. `code`: the same without them, shown until this has loaded. */
export function ColoredCode({ colored }: { code: string; colored: string }) {
  const runs = useMemo(() => coloredRuns(colored), [colored]);
  return <>{runs.map(drawRun)}</>;
}

function drawRun({ text, hue, ground, isGrey, isBold }: ColoredRun, key: number) {
  const classes = [hue !== null && 'is-hue', ground !== null && 'is-ground', isGrey && 'c', isBold && 'b'];
  return (
    <span key={key} class={classes.filter(Boolean).join(' ')} style={{ '--h': hue ?? 0, '--h2': ground ?? 0 }}>
      {shownText(text)}
    </span>
  );
}

function CopyButton({ code, block }: { code: string; block: { current: HTMLElement | null } }) {
  const [label, setLabel] = useState<'Copy' | 'Copied' | 'Selected: copy with your keyboard'>('Copy');
  useEffect(() => {
    if (label === 'Copy') return;
    const timer = setTimeout(() => setLabel('Copy'), COPIED_MS);
    return () => clearTimeout(timer);
  }, [label]);
  const copy = async () => {
    setLabel((await copyOrSelect(code, block.current)) ? 'Copied' : 'Selected: copy with your keyboard');
  };
  return (
    <>
      <button class="icon-btn is-small copy" type="button" onClick={() => void copy()}>
        {label === 'Copied' ? <Check /> : <Copy />}
        <span>
          {label}
          {label === 'Copy' && <span class="sr"> the code</span>}
        </span>
      </button>
      <span class="sr" role="status">
        {label === 'Copy' ? '' : label}
      </span>
    </>
  );
}
