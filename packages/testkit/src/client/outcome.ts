/** Returns the error that the promise rejects with. */
export function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => new Error(`It succeeded with ${JSON.stringify(value)}.`),
    (error: unknown) => error,
  );
}

/** Waits for one turn of the event loop. */
export function eventLoopTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Returns whether the promise is still pending after one turn of the event loop. */
export async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let pending = true;
  const settle = () => {
    pending = false;
  };
  promise.then(settle, settle);
  await eventLoopTurn();
  return pending;
}
