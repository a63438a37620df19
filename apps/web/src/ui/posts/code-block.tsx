import { Check, Copy } from 'icons';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type HighlightedCode, type Run, readInWorker } from '../../lib/posts/read-in-worker.ts';
import { shownText } from '../../lib/posts/shown-text.ts';
import { copyOrSelect } from '../clipboard.ts';

/** In characters. Longer code is not highlighted: colors do not help anyone read that much. */
const MAX_HIGHLIGHTED = 10_000;
const MAX_KEPT = 100;
const COPIED_MS = 2_000;
/** Code is highlighted when it is about to scroll into view. */
const NEAR = '200px';

interface CodeBlockProps {
  code: string;
  language: string | null;
  /** The code of a long block, divided into parts. */
  lines: ComponentChildren[] | null;
}

export function CodeBlock({ code, language, lines }: CodeBlockProps) {
  const block = useRef<HTMLPreElement>(null);
  const highlightedCode = useHighlighting(block, code, lines ? null : language);
  const name = highlightedCode?.language;
  return (
    <div class="code">
      <pre ref={block} tabIndex={0} role="group" aria-label={name ? `${name} code` : 'Code'}>
        <code>{lines ?? highlightedCode?.runs.map(drawRun) ?? shownText(code)}</code>
      </pre>
      <CopyButton code={code} block={block} />
    </div>
  );
}

function drawRun([kind, text]: Run, key: number): ComponentChildren {
  return kind === null ? (
    shownText(text)
  ) : (
    <span class={kind} key={key}>
      {shownText(text)}
    </span>
  );
}

/** The most recently highlighted code, so that it is highlighted immediately the next time it is rendered. */
const highlighted = new Map<string, HighlightedCode>();

/** Returns the highlighted code once the block has come near the view; until then, `null`. */
function useHighlighting(
  block: { current: Element | null },
  code: string,
  language: string | null,
): HighlightedCode | null {
  const key = `${language} ${code}`;
  const [, setHighlighted] = useState('');
  useEffect(() => {
    if (language === null || code.length > MAX_HIGHLIGHTED || !block.current || highlighted.has(key)) return;
    let isOver = false;
    const watch = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        watch.disconnect();
        void readInWorker({ do: 'highlight', code, language }).then((result) => {
          if (!result) return;
          highlighted.set(key, result);
          const [oldest] = highlighted.keys();
          if (highlighted.size > MAX_KEPT && oldest !== undefined) highlighted.delete(oldest);
          if (!isOver) setHighlighted(key);
        });
      },
      { rootMargin: NEAR },
    );
    watch.observe(block.current);
    return () => {
      isOver = true;
      watch.disconnect();
    };
  }, [key]);
  return highlighted.get(key) ?? null;
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
