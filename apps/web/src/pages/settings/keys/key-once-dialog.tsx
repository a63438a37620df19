import type { IssuedKey, Scope } from '@hub/contract';
import { CircleCheck, Info, Send } from 'icons';
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { useWorkspace } from '../../../data/live/workspace.ts';
import { errorMessage, NoResponse } from '../../../data/request.ts';
import { isNearEnd } from '../../../lib/keys/key-times.ts';
import { dayAndTime, dayAndYear } from '../../../lib/time/dates.ts';
import { Button } from '../../../ui/button.tsx';
import { OnceDialog } from '../../../ui/forms/once-dialog.tsx';
import { CodeBlock } from '../../../ui/posts/code-block.tsx';
import { firstKind, type PostKind, scopeText } from './key-state.ts';
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
      title={title}
      description={
        next === undefined ? (
          'This is the only time it’s shown.'
        ) : (
          <>
            This is the only time the new key is shown. It posts {scopeText(issued.scopes)} to <b>{issued.hubName}</b>
            {endText(issued.expiresAt)}
          </>
        )
      }
      care="Store it in a secret manager, never in code."
      loss="If you haven’t saved it, revoke it and issue a new one."
      foot={<TestPost issued={issued} />}
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

type TestState =
  | { status: 'idle' }
  | { status: 'sending' }
  | { status: 'sent'; id: string }
  | { status: 'failed'; text: string };

function TestPost({ issued }: { issued: IssuedKey }) {
  const { hubs } = useWorkspace();
  const { hubId, hubName } = issued;
  const [state, setState] = useState<TestState>({ status: 'idle' });
  const arrived = useArrivals(hubId);
  const isReader = hubs.find(hubId)?.isMember ?? false;
  const send = async () => {
    if (state.status === 'sending') return;
    setState({ status: 'sending' });
    try {
      setState({ status: 'sent', id: await sendTestPost(issued) });
    } catch (error) {
      setState({ status: 'failed', text: errorMessage(error) });
    }
  };
  return (
    <div class="test-post">
      <Button
        icon={<Send />}
        label={state.status === 'sent' ? 'Send another test post' : 'Send a test post'}
        aria-disabled={state.status === 'sending'}
        onClick={() => void send()}
      />
      <div class="grow" role="status">
        {state.status === 'sending' && <span class="help">Sending…</span>}
        {state.status === 'failed' && <span class="error">Not sent. {state.text}</span>}
        {state.status === 'sent' &&
          (isReader && !arrived.has(state.id) ? (
            <span class="help">Accepted. Waiting for it to arrive…</span>
          ) : (
            <span class="state is-active">
              <CircleCheck />
              {isReader ? (
                <span>
                  Arrived in {hubName}.{' '}
                  <a class="link" href={`/p/${state.id}`} target="_blank" rel="noopener">
                    View post<span class="sr"> in a new tab</span>
                  </a>
                </span>
              ) : (
                ` Posted to ${hubName}. You’re not a member of this Hub, so you can’t see it.`
              )}
            </span>
          ))}
      </div>
    </div>
  );
}

/** Returns the ids of items that arrived in the Hub over the live connection since the component mounted. */
function useArrivals(hubId: string): ReadonlySet<string> {
  const { hubs } = useWorkspace();
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  useEffect(
    () =>
      hubs.onEvent((event) => {
        if (event.hubId !== hubId || !/^(?:message|note|todo)\.created$/.test(event.event)) return;
        const { id } = event.data as { id: string };
        setIds((ids) => new Set(ids).add(id));
      }),
    [hubId],
  );
  return ids;
}

const RESPONSE_MS = 20_000;

const BODIES = {
  messages: { text: 'A test post: this key works.' },
  notes: { title: 'A test post', content: 'This key works.' },
  todos: { title: 'A test post: this key works' },
} satisfies Record<PostKind, object>;

/**
 * Posts with the key itself, as a program would, without the page's cookie. Nothing else in the web app sends a key.
 * Resolves to the id of the post.
 * @throws Error with a message for the user.
 */
async function sendTestPost({ key, scopes }: IssuedKey): Promise<string> {
  const kind = firstKind(scopes);
  const response = await fetch(`/api/public/v1/${kind}`, {
    method: 'POST',
    credentials: 'omit',
    cache: 'no-store',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(BODIES[kind]),
    signal: AbortSignal.timeout(RESPONSE_MS),
  }).catch(() => null);
  if (!response) throw new NoResponse();
  const body = (await response.json().catch(() => ({}))) as { data?: { id?: unknown }; message?: unknown };
  if (response.ok && typeof body.data?.id === 'string') return body.data.id;
  throw new Error(typeof body.message === 'string' ? body.message : `The server returned ${response.status}.`);
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
