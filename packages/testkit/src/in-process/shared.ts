import { afterAll, beforeAll } from 'bun:test';

/**
 * Starts something before the tests of the enclosing block, and disposes of it after them: `const hub =
 * shared(startTestHub)`. Its properties can be used only while the tests run.
 */
export function shared<T extends object>(start: () => Promise<T>): T {
  let started: (T & Partial<AsyncDisposable>) | undefined;
  beforeAll(async () => {
    started = await start();
  });
  afterAll(() => started?.[Symbol.asyncDispose]?.());
  return new Proxy({} as T, {
    get: (_, name) => {
      if (started === undefined) throw new Error('What tests share is only available while they run');
      return Reflect.get(started, name);
    },
  });
}
