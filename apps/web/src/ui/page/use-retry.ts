import { useContext, useEffect, useRef } from 'preact/hooks';
import { WorkspaceContext } from '../../data/live/workspace.ts';

/** All clients reconnect at the same time, so their requests are spread out. */
const SOON_MS = 60;
const SPREAD_MS = 140;
/**
 * A request that failed although the connection was up is retried after `FIRST_RETRY_MS`, then every `RETRY_EVERY_MS`.
 */
const FIRST_RETRY_MS = 2_000;
const RETRY_EVERY_MS = 60_000;

let nextAt = Number.NEGATIVE_INFINITY;

/** Calls `retry` whenever the connection or the network is restored. */
export function useOnReconnect(retry: () => unknown): void {
  const hubs = useContext(WorkspaceContext)?.hubs;
  const latest = useRef(retry);
  latest.current = retry;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soon = () => {
      clearTimeout(timer);
      timer = setTimeout(() => latest.current(), SOON_MS + Math.random() * SPREAD_MS);
    };
    let wasDown = false;
    const stop = hubs?.connection.subscribe(({ status }) => {
      if (status === 'live' && wasDown) soon();
      wasDown = status !== 'live';
    });
    addEventListener('online', soon);
    return () => {
      clearTimeout(timer);
      stop?.();
      removeEventListener('online', soon);
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
