import type { Scope } from '@hub/contract';
import { useId, useMemo, useRef, useState } from 'preact/hooks';
import { CodeBlock } from '../../../ui/posts/code-block.tsx';
import { firstKind } from './key-scopes.ts';
import { isLocalAddress, READ_KEY, snippetsFor } from './snippets.ts';

/** Snippets for posting with a key, one tab each. Arrow keys, Home and End move between tabs. */
export function SnippetTabs({ scopes }: { scopes: readonly Scope[] }) {
  // Issuing a key requires the session cookie, so this page is served from the server's origin.
  const baseUrl = location.origin;
  const snippets = useMemo(() => snippetsFor(firstKind(scopes), baseUrl), [scopes]);
  const [shown, show] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const snippet = snippets[shown];
  const onKeyDown = (event: KeyboardEvent) => {
    const next = tabAt(event.key, shown, snippets.length);
    if (next === null) return;
    event.preventDefault();
    show(next);
    list.current?.querySelectorAll('button')[next]?.focus();
  };
  if (!snippet) return null;
  return (
    <div class="snip">
      <div class="tabs" role="tablist" aria-label="Ready-made snippets" ref={list} onKeyDown={onKeyDown}>
        {snippets.map(({ name }, n) => (
          <button
            key={name}
            class="tab"
            type="button"
            role="tab"
            id={`${id}-${n}`}
            aria-selected={n === shown}
            aria-controls={`${id}-panel`}
            tabIndex={n === shown ? 0 : -1}
            onClick={() => show(n)}
          >
            {name}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${shown}`}>
        {snippet.isForShell && (
          <>
            <p class="snip-help">In bash or zsh, run this, paste the key and press Enter:</p>
            <CodeBlock code={READ_KEY} language="bash" lines={null} />
            <p class="snip-help">Then post:</p>
          </>
        )}
        <CodeBlock key={snippet.name} code={snippet.code} language={snippet.language} lines={null} />
        {isLocalAddress(baseUrl) && <LocalAddress baseUrl={baseUrl} />}
      </div>
    </div>
  );
}

function LocalAddress({ baseUrl }: { baseUrl: string }) {
  return (
    <p class="snip-help">
      <code>{baseUrl}</code> works only on this computer.
    </p>
  );
}

function tabAt(key: string, current: number, count: number): number | null {
  if (key === 'ArrowRight') return (current + 1) % count;
  if (key === 'ArrowLeft') return (current - 1 + count) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : null;
}
