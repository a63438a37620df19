/**
 * Resolves when a thread has released everything. Must be called before it can end. A closed SQLite connection stays
 * open until the last of its statements is garbage-collected, at the latest with the thread's memory.
 */
export function workerEnd(worker: Worker): Promise<void> {
  return new Promise((resolve) => worker.addEventListener('close', () => resolve(), { once: true }));
}
