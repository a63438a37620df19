import type { ItemFile } from '@hub/contract';
import { withoutEscapes } from '@hub/contract/markdown/without-escapes';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { fileUrl, TAIL_LINES } from '../../lib/items.ts';
import { whenNear } from '../../lib/when-near.ts';
import { Button } from '../button.tsx';
import { useRetry } from '../page/load-states.tsx';
import { CodeBlock } from './code-block.tsx';

/** The end of a file that is read for its last lines. */
const TAIL_BYTES = 16 * 1024;
/** Larger files are only downloaded: the page would freeze. */
const MAX_SHOWN_BYTES = 512 * 1024;

/** The last lines of a text file, and on request all of them. Nothing is read before it is about to be in view. */
export function TextFile({ file }: { file: ItemFile }) {
  const box = useRef<HTMLDivElement>(null);
  const [text, setText] = useState<string | null>(null);
  const [isWhole, setWhole] = useState(false);
  /** The part that could not be read. */
  const [failure, setFailure] = useState<{ bytes: number | null } | null>(null);
  const read = (bytes: number | null) =>
    readText(file, bytes).then(
      (read) => {
        setText(read);
        setWhole(bytes === null);
        setFailure(null);
      },
      () => setFailure({ bytes }),
    );
  useEffect(() => (box.current ? whenNear(box.current, () => void read(TAIL_BYTES)) : undefined), []);
  /** How far the reader has scrolled away from the end, which says how a log ended. */
  const fromEnd = useRef(0);
  useLayoutEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight - fromEnd.current;
  }, [text, isWhole]);
  const showAll = () => {
    if (box.current) fromEnd.current = box.current.scrollHeight - box.current.scrollTop;
    void read(null);
  };
  const colored = text === null ? '' : withoutEscapes(isWhole ? text : lastLines(text), { keepsColors: true });
  const isPart = file.size > TAIL_BYTES || (text !== null && lastLines(text) !== text);
  return (
    <>
      <div class={isWhole ? 'lines is-whole' : 'lines'} ref={box} aria-busy={text === null && !failure}>
        {text !== null && (
          <CodeBlock code={withoutEscapes(colored)} colored={colored} language={null} lines={null} isWhole />
        )}
        {failure && <NotRead onRetry={() => read(failure.bytes)} />}
      </div>
      {isPart && !isWhole && file.size <= MAX_SHOWN_BYTES && (
        <Button variant="is-bare is-small" label="Show all" onClick={showAll} />
      )}
    </>
  );
}

function NotRead({ onRetry }: { onRetry: () => Promise<void> }) {
  useRetry(onRetry);
  return (
    <p class="help">
      The text couldn’t be loaded.{' '}
      <Button variant="is-bare is-small" label="Try again" onClick={() => void onRetry()} />
    </p>
  );
}

/** Reads a file, or its last bytes without the line that is cut; `null`: all of it. */
async function readText({ id, size }: ItemFile, bytes: number | null): Promise<string> {
  const isPart = bytes !== null && size > bytes;
  const response = await fetch(fileUrl({ id }), isPart ? { headers: { range: `bytes=-${bytes}` } } : {});
  if (!response.ok) throw new Error(`The file could not be read (${response.status})`);
  const text = (await response.text()).replaceAll('\r\n', '\n').replace(/\n$/, '');
  return isPart ? text.slice(text.indexOf('\n') + 1) : text;
}

function lastLines(text: string): string {
  const lines = text.split('\n');
  return lines.length > TAIL_LINES ? lines.slice(-TAIL_LINES).join('\n') : text;
}
