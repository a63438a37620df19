import { CircleAlert } from 'icons';
import { Component, type ComponentChildren } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { WorkspaceContext } from '../../data/live/workspace.ts';
import { JitteredDebounce } from '../../lib/jittered-debounce.ts';
import { Button } from '../button.tsx';

/** Renders nothing at first, and a skeleton after a moment. */
export function Loading({ what = 'Loading' }: { what?: string }) {
  const isSlow = useIsSlow();
  return (
    <div class="loading" role="status">
      {isSlow && (
        <>
          <span class="sr">{what}…</span>
          {['w1', 'w2', 'w3'].map((width) => (
            <div key={width} class={`skeleton-line ${width}`} />
          ))}
        </>
      )}
    </div>
  );
}

/** Shorter waits need no loading message. */
const PATIENCE_MS = 150;

/** Returns whether the component has waited long enough for a loading message. */
export function useIsSlow(): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return isSlow;
}

const SOON_MS = 60;
/** A request that failed with the connection up is retried after `FIRST_RETRY_MS`, then every `RETRY_EVERY_MS`. */
const FIRST_RETRY_MS = 2_000;
const RETRY_EVERY_MS = 60_000;

let nextAt = Number.NEGATIVE_INFINITY;

/** Calls `retry` whenever the connection or the network is restored. */
export function useOnReconnect(retry: () => unknown): void {
  const hubs = useContext(WorkspaceContext)?.hubs;
  const latest = useRef(retry);
  latest.current = retry;
  useEffect(() => {
    const soon = new JitteredDebounce(SOON_MS, () => latest.current());
    const ask = () => soon.schedule();
    const stop = hubs?.onLive(ask);
    addEventListener('online', ask);
    return () => {
      soon.cancel();
      stop?.();
      removeEventListener('online', ask);
    };
  }, [hubs]);
}

/**
 * Retries a failed load: calls `retry` when the connection is back. A request can also fail, or hang until it times
 * out, while the connection is up, so it is also retried periodically, but rarely enough that the error message does
 * not flicker.
 */
export function useRetry(retry: () => unknown): void {
  useOnReconnect(retry);
  const latest = useRef(retry);
  latest.current = retry;
  useEffect(() => {
    const nowMs = performance.now();
    if (nextAt <= nowMs) nextAt = Math.max(nextAt + RETRY_EVERY_MS, nowMs + FIRST_RETRY_MS);
    const timer = setTimeout(() => latest.current(), nextAt - nowMs);
    return () => clearTimeout(timer);
  }, []);
}

interface ErrorNoticeProps {
  title?: string;
  text: string;
  retryLabel?: string;
  onRetry: () => unknown;
  /** Retrying would discard what is on the page, so it happens only on request. */
  isByHand?: boolean;
}

/** An error with a retry button. It also retries automatically when the connection is back. */
export function ErrorNotice(props: ErrorNoticeProps) {
  const { title = 'Couldn’t load this', text, retryLabel = 'Try again', onRetry, isByHand } = props;
  useRetry(() => isByHand || onRetry());
  return (
    <div class="empty load-error" role="alert">
      <CircleAlert size="m" />
      <h2>{title}</h2>
      <p>{text}</p>
      <div class="actions">
        <Button label={retryLabel} onClick={() => void onRetry()} />
      </div>
    </div>
  );
}

interface ErrorBoundaryProps {
  /** The name of this part, for the message: "This page". */
  what: string;
  /** The current path; the error resets when it changes. */
  at?: string;
  children: ComponentChildren;
}

/** Confines an error to one part of the page. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: unknown }> {
  override state = { error: null };

  override componentDidCatch(error: unknown): void {
    // Details go to the console; the page itself tells the user what to do.
    reportError(error);
    this.setState({ error });
  }

  override componentDidUpdate({ at }: ErrorBoundaryProps): void {
    if (this.state.error !== null && at !== this.props.at) this.setState({ error: null });
  }

  override render() {
    const { what, children } = this.props;
    if (this.state.error === null) return children;
    return (
      <div class="broken">
        <ErrorNotice
          title={`${what} couldn’t be displayed`}
          text="Something went wrong in your browser. Try again or reload the page; nothing you sent is lost."
          onRetry={() => this.setState({ error: null })}
          isByHand
        />
      </div>
    );
  }
}

interface EmptyStateProps {
  art?: ComponentChildren;
  title?: string;
  text?: ComponentChildren;
  children?: ComponentChildren;
  /** Whether the state can appear while the page is open, so that screen readers announce it. */
  isStatus?: boolean;
}

/** Fills the place of content that does not exist. */
export function EmptyState({ art, title, text, children, isStatus = false }: EmptyStateProps) {
  return (
    <div class="empty" {...(isStatus ? { role: 'status' } : {})}>
      {art}
      {title !== undefined && <h2>{title}</h2>}
      {text && <p>{text}</p>}
      {children && <div class="actions">{children}</div>}
    </div>
  );
}
