import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { keepNewest } from '../../lib/newest.ts';
import { type HighlightedCode, type Run, readInWorker } from '../../lib/posts/read-in-worker.ts';
import { shownText } from '../../lib/posts/shown-text.ts';
import { whenNear } from '../../lib/when-near.ts';
import { lazy } from '../page/lazy.tsx';
import { Collapsible, isExpanded, SLACK_LINES } from './collapsible.tsx';

/** In characters. Longer code is not highlighted: colors do not help anyone read that much. */
const MAX_HIGHLIGHTED = 10_000;
const MAX_KEPT = 100;
const COLLAPSED_LINES = 12;
/** In characters. Longer lines are cut off in a text column. */
const LONG_LINE = 80;

const CodeTools = lazy(async () => (await import('./code-tools.tsx')).CodeTools, { around: () => null });
const ColoredCode = lazy(async () => (await import('./code-tools.tsx')).ColoredCode, {
  around: ({ code }) => shownText(code),
});

interface CodeBlockProps {
  code: string;
  colored?: string;
  language: string | null;
  /** The code of a long block, divided into parts. */
  lines: ComponentChildren[] | null;
  /** Whether all lines are shown, however many there are. */
  isWhole?: boolean;
}

export function CodeBlock({ code, colored, language, lines, isWhole = false }: CodeBlockProps) {
  const block = useRef<HTMLPreElement>(null);
  const highlightedCode = useHighlighting(block, code, lines || colored !== undefined ? null : language);
  const [isOpen, setOpen] = useState(() => isExpanded(code));
  const [isWrapped, setWrapped] = useState(false);
  const name = highlightedCode?.language;
  const allLines = code.split('\n');
  const isLong = !isWhole && allLines.length > COLLAPSED_LINES + SLACK_LINES;
  const isWide = allLines.some(({ length }) => length > LONG_LINE);
  const text = (
    <pre
      ref={block}
      class={isWrapped ? 'is-wrapped' : ''}
      tabIndex={0}
      role="group"
      aria-label={name ? `${name} code` : 'Code'}
    >
      <code>
        {colored === undefined ? (
          (lines ?? highlightedCode?.runs.map(drawRun) ?? shownText(code))
        ) : (
          <ColoredCode code={code} colored={colored} />
        )}
      </code>
    </pre>
  );
  return (
    <div class={`code tools-${1 + Number(isWide) + Number(isLong)}`}>
      {isLong ? (
        <Collapsible
          name={code}
          lines={COLLAPSED_LINES}
          label={`Show all ${allLines.length} lines`}
          hasMore
          isOpen={isOpen}
          onToggle={setOpen}
        >
          {text}
        </Collapsible>
      ) : (
        text
      )}
      <div class="code-tools">
        <CodeTools
          code={code}
          block={block}
          isLong={isLong}
          isWrapped={isWide ? isWrapped : null}
          onWrap={() => setWrapped(!isWrapped)}
        />
      </div>
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
    const stop = whenNear(block.current, () => {
      void readInWorker({ do: 'highlight', code, language }).then((result) => {
        if (!result) return;
        keepNewest(highlighted, key, result, MAX_KEPT);
        if (!isOver) setHighlighted(key);
      });
    });
    return () => {
      isOver = true;
      stop();
    };
  }, [key]);
  return highlighted.get(key) ?? null;
}
