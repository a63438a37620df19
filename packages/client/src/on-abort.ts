/** The actions for each signal, all behind one listener. */
const actionsOf = new WeakMap<AbortSignal, { actions: Set<() => void>; listener: () => void }>();

/**
 * Calls `action` if the signal aborts. Returns a function that cancels this. Posts that share a signal also share one
 * listener, because Node warns about a leak at eleven listeners.
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
