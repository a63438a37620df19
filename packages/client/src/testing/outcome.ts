/** What the promise rejects with. */
export function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => new Error(`It succeeded with ${JSON.stringify(value)}.`),
    (error: unknown) => error,
  );
}

/** Lets everything run that needs no more than a turn of the event loop. */
export function turnOfTheLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Whether the promise is still open after all that could settle it without an event from outside has run. */
export async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let pending = true;
  const settle = () => {
    pending = false;
  };
  promise.then(settle, settle);
  await turnOfTheLoop();
  return pending;
}
