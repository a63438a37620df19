/**
 * Resolves when a thread has ended and released everything. Must be called before the thread can end. A closed SQLite
 * connection stays open until the last of its statements is garbage-collected, which happens when the thread's memory
 * is released.
 */
export function workerEnd(worker: Worker): Promise<void> {
  return new Promise((resolve) => worker.addEventListener('close', () => resolve(), { once: true }));
}
