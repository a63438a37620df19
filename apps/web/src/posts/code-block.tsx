import Check from 'icon:check';
import Copy from 'icon:copy';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { writeClipboard } from '../ui/clipboard.ts';
import { languageOf, nameOf } from './languages.ts';
import type { Run } from './post-jobs.ts';
import { readApart } from './read-apart.ts';
import { shownText } from './shown-text.ts';

/** Longer code keeps one colour: nobody reads it for its colours. */
const MAX_COLOURED = 10_000;
const KEPT = 100;
const COPIED_MS = 2_000;
/** Coloured when it is about to come into view. */
const NEAR = '200px';

interface CodeBlockProps {
  code: string;
  language: string | null;
  /** The code of a long block, in parts. */
  lines: ComponentChildren[] | null;
}

export function CodeBlock({ code, language, lines }: CodeBlockProps) {
  const known = languageOf(language);
  const block = useRef<HTMLPreElement>(null);
  const runs = useRuns(block, code, lines === null ? known : null);
  return (
    <div class="code">
      <pre ref={block} tabIndex={0} role="group" aria-label={known ? `${nameOf(known)} code` : 'Code'}>
        <code>{lines ?? (runs ? runs.map(drawRun) : shownText(code))}</code>
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

/** The code that was coloured last, so that it is so at once when it is drawn anew. */
const coloured = new Map<string, readonly Run[]>();

/** Its colours, once it has been in view. */
function useRuns(block: { current: Element | null }, code: string, language: string | null): readonly Run[] | null {
  const of = `${language} ${code}`;
  const [, setColoured] = useState('');
  useEffect(() => {
    if (language === null || code.length > MAX_COLOURED || !block.current || coloured.has(of)) return;
    let isOver = false;
    const watch = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        watch.disconnect();
        void readApart({ do: 'highlight', code, language }).then((runs) => {
          if (!runs) return;
          coloured.set(of, runs);
          const [oldest] = coloured.keys();
          if (coloured.size > KEPT && oldest !== undefined) coloured.delete(oldest);
          if (!isOver) setColoured(of);
        });
      },
      { rootMargin: NEAR },
    );
    watch.observe(block.current);
    return () => {
      isOver = true;
      watch.disconnect();
    };
  }, [of]);
  return coloured.get(of) ?? null;
}

function CopyButton({ code, block }: { code: string; block: { current: HTMLElement | null } }) {
  const [says, setSays] = useState<'Copy' | 'Copied' | 'Selected: copy it with your keys'>('Copy');
  useEffect(() => {
    if (says === 'Copy') return;
    const timer = setTimeout(() => setSays('Copy'), COPIED_MS);
    return () => clearTimeout(timer);
  }, [says]);
  const copy = async () => {
    if (await writeClipboard(code)) return setSays('Copied');
    if (block.current) getSelection()?.selectAllChildren(block.current);
    setSays('Selected: copy it with your keys');
  };
  return (
    <>
      <button class="icon-btn is-small copy" type="button" title={says} onClick={() => void copy()}>
        {says === 'Copied' ? <Check size="s" /> : <Copy size="s" />}
        <span>
          {says}
          {says === 'Copy' && <span class="sr"> the code</span>}
        </span>
      </button>
      <span class="sr" role="status">
        {says === 'Copy' ? '' : says}
      </span>
    </>
  );
}
