/** What is to happen when a signal aborts, behind one listener of the signal for all of it. */
const actionsOf = new WeakMap<AbortSignal, { actions: Set<() => void>; listener: () => void }>();

/**
 * Calls `action` if the signal aborts; the result takes that back. However many posts share a signal, it has one listener
 * of ours at most: Node warns of a leak at eleven.
 */
export function onAbort(signal: AbortSignal | undefined, action: () => void): () => void {
  if (!signal) return () => {};
  const { actions, listener } = actionsOf.get(signal) ?? listenTo(signal);
  actions.add(action);
  return () => {
    actions.delete(action);
    if (actions.size > 0 || actionsOf.get(signal)?.actions !== actions) return;
    actionsOf.delete(signal);
    signal.removeEventListener('abort', listener);
  };
}

function listenTo(signal: AbortSignal) {
  const actions = new Set<() => void>();
  const listener = () => {
    actionsOf.delete(signal);
    for (const action of actions) action();
  };
  const listening = { actions, listener };
  actionsOf.set(signal, listening);
  signal.addEventListener('abort', listener, { once: true });
  return listening;
}
