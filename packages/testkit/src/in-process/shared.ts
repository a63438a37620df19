import { afterAll, afterEach, beforeAll, beforeEach } from 'bun:test';

/**
 * Starts something before the tests of the enclosing block, and disposes of it after them: `const hub =
 * shared(startTestHub)`. Its properties can be used only while the tests run. A matcher needs a copy: `{ ...hub }`.
 */
export const shared = <T extends object>(start: () => Promise<T>): T => started(start, beforeAll, afterAll);

/** Starts something before each test of the enclosing block, and disposes of it after the test. */
export const perTest = <T extends object>(start: () => Promise<T>): T => started(start, beforeEach, afterEach);

function started<T extends object>(start: () => Promise<T>, before: typeof beforeAll, after: typeof afterAll): T {
  let current: (T & Partial<AsyncDisposable>) | undefined;
  before(async () => {
    current = await start();
  });
  after(() => current?.[Symbol.asyncDispose]?.());
  const running = (): T => {
    if (current === undefined) throw new Error('What tests share is only available while they run');
    return current;
  };
  return new Proxy({} as T, {
    get: (_, name) => Reflect.get(running(), name),
    set: (_, name, value) => Reflect.set(running(), name, value),
    ownKeys: () => Reflect.ownKeys(running()),
    getOwnPropertyDescriptor: (_, name) => Reflect.getOwnPropertyDescriptor(running(), name),
  });
}
