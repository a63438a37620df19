import type { IssuedKey, Scope } from '@hub/contract';
import { Info } from 'icons';
import { useId, useMemo, useRef, useState } from 'preact/hooks';
import { isNearEnd } from '../../../lib/keys/key-times.ts';
import { dayAndTime, dayAndYear } from '../../../lib/time/dates.ts';
import { OnceDialog } from '../../../ui/forms/once-dialog.tsx';
import { CodeBlock } from '../../../ui/posts/code-block.tsx';
import { firstKind, scopeText } from './key-state.ts';
import { isLocalAddress, READ_KEY, snippetsFor } from './snippets.ts';

interface KeyOnceDialogProps {
  title: string;
  /** Holds the key, which exists only in the document, and only while the dialog is open. */
  issued: IssuedKey;
  /** After a rotation or replacement: what happened to the old key, and what to do now. */
  next?: string;
  onClose: () => void;
}

/** Shows a new key once, with snippets for posting with it. */
export function KeyOnceDialog({ title, issued, next, onClose }: KeyOnceDialogProps) {
  return (
    <OnceDialog
      noun="key"
      secret={issued.key}
      text={{
        title,
        description:
          next === undefined ? (
            'This is the only time it’s shown.'
          ) : (
            <>
              This is the only time the new key is shown. It posts {scopeText(issued.scopes)} to <b>{issued.hubName}</b>
              {endText(issued.expiresAt)}
            </>
          ),
        care: 'Store it in a secret manager, never in code.',
        loss: 'If you haven’t saved it, revoke it and issue a new one.',
      }}
      onClose={onClose}
    >
      {next !== undefined && (
        <div class="banner">
          <Info />
          <span class="grow">{next}</span>
        </div>
      )}
      <SnippetTabs scopes={issued.scopes} />
    </OnceDialog>
  );
}

function endText(expiresAt: string | null): string {
  if (expiresAt === null) return ' and never expires.';
  if (isNearEnd(expiresAt, Date.now())) return ` and works until ${dayAndTime(expiresAt)}.`;
  // The last day of a key that expires at midnight is the day before.
  const lastMoment = new Date(Date.parse(expiresAt) - 1).toISOString();
  return ` and works until ${dayAndYear(lastMoment)}.`;
}

/** Snippets for posting with a key, one tab each. Arrow keys, Home and End move between tabs. */
function SnippetTabs({ scopes }: { scopes: readonly Scope[] }) {
  // Issuing a key requires the session cookie, so this page is served from the server's origin.
  const baseUrl = location.origin;
  const snippets = useMemo(() => snippetsFor(firstKind(scopes), baseUrl), [scopes]);
  const [index, setIndex] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const snippet = snippets[index];
  const onKeyDown = (event: KeyboardEvent) => {
    const next = tabAt(event.key, index, snippets.length);
    if (next === null) return;
    event.preventDefault();
    setIndex(next);
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
            aria-selected={n === index}
            aria-controls={`${id}-panel`}
            tabIndex={n === index ? 0 : -1}
            onClick={() => setIndex(n)}
          >
            {name}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${index}`}>
        {snippet.isForShell && (
          <>
            <p class="snip-help">In bash or zsh, run this, paste the key and press Enter:</p>
            <CodeBlock code={READ_KEY} language="bash" lines={null} />
            <p class="snip-help">Then post:</p>
          </>
        )}
        <CodeBlock key={snippet.name} code={snippet.code} language={snippet.language} lines={null} />
        {isLocalAddress(baseUrl) && (
          <p class="snip-help">
            <code>{baseUrl}</code> works only on this computer.
          </p>
        )}
      </div>
    </div>
  );
}

function tabAt(key: string, current: number, count: number): number | null {
  if (key === 'ArrowRight') return (current + 1) % count;
  if (key === 'ArrowLeft') return (current - 1 + count) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : null;
}
