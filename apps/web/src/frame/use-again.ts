import { useContext, useEffect, useRef } from 'preact/hooks';
import { WorkspaceContext } from '../workspace/workspace.ts';

/** Everybody comes back at once: they should not all ask at once. */
const SOON_MS = 60;
const SPREAD_MS = 140;
/** What failed although there is a connection is tried once more by itself after a moment, and then so often. */
const ONCE_MORE_MS = 2_000;
const EVERY_MS = 60_000;

let nextAt = Number.NEGATIVE_INFINITY;

/** Calls `again` whenever the connection, or the network, is there again after it was away. */
export function useBack(again: () => unknown): void {
  const hubs = useContext(WorkspaceContext)?.hubs;
  const latest = useRef(again);
  latest.current = again;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soon = () => {
      clearTimeout(timer);
      timer = setTimeout(() => latest.current(), SOON_MS + Math.random() * SPREAD_MS);
    };
    let wasCut = false;
    const stop = hubs?.connection.subscribe(({ status }) => {
      if (status === 'live' && wasCut) soon();
      wasCut = status !== 'live';
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
 * For what could not be loaded: calls `again` when the connection is back. A request may also fail, or hang until it is given
 * up, while the connection lives; so it is tried without one, too, and seldom enough that a refusal does not flicker.
 */
export function useAgain(again: () => unknown): void {
  useBack(again);
  const latest = useRef(again);
  latest.current = again;
  useEffect(() => {
    const nowMs = performance.now();
    if (nextAt <= nowMs) nextAt = Math.max(nextAt + EVERY_MS, nowMs + ONCE_MORE_MS);
    const timer = setTimeout(() => latest.current(), nextAt - nowMs);
    return () => clearTimeout(timer);
  }, []);
}
