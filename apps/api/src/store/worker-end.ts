/**
 * Resolves when a thread is gone with all that it held. Ask before it can end. A connection that it has closed lives on in
 * SQLite until the last of its statements is collected, which is when the thread's memory is let go.
 */
export function workerEnd(worker: Worker): Promise<void> {
  return new Promise((resolve) => worker.addEventListener('close', () => resolve(), { once: true }));
}
