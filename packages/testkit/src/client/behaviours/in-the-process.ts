import { deepEqual, doesNotMatch, equal, rejects, throws } from 'node:assert/strict';
import { inspect } from 'node:util';
import { failureOf } from '../outcome.ts';
import { TEST_KEY } from '../test-key.ts';
import { listening, stop } from './local-server.ts';
import type { Behaviours } from './trial.ts';

const text = { text: 'x' };

/** Tests of the client inside the process that uses it. */
export const inTheProcess: Behaviours = {
  'never prints its key': async ({ client }) => {
    const { port } = await listening(() => {}, stop);
    const hub = new client.HubClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: TEST_KEY, connectRetries: 0 });
    const error = await failureOf(hub.messages.create(text));
    const output = [hub, error].flatMap((value) => [
      inspect(value, { showHidden: true, depth: 20 }),
      JSON.stringify(value),
      JSON.stringify(Object.getOwnPropertyDescriptors(value)),
    ]);
    doesNotMatch(output.join('\n'), new RegExp(TEST_KEY.slice(9)));
  },

  'lets many posts share a signal without a leak warning': async ({ client }) => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on('warning', onWarning);
    const controller = new AbortController();
    const hub = new client.HubClient({
      baseUrl: 'https://hub.example.com',
      apiKey: TEST_KEY,
      fetch: () => new Promise(() => {}),
    });
    const { signal } = controller;
    const posts = Array.from({ length: 70 }, () => failureOf(hub.messages.create(text, { signal })));
    // Warnings are emitted in the next turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort('enough');
    equal((await Promise.all(posts)).filter((reason) => reason === 'enough').length, 70);
    process.off('warning', onWarning);
    deepEqual(warnings, []);
  },

  'runs with the globals of jsdom, but not in a browser page': async ({ client }) => {
    const make = () => new client.HubClient({ baseUrl: 'https://hub.example.com', apiKey: TEST_KEY });
    const globals = globalThis as Record<string, unknown>;
    const { process } = globals;
    Object.assign(globals, { window: {}, document: {} });
    try {
      make();
      globals.process = undefined;
      // The global `Bun` cannot be removed, so Bun is still recognized as a server runtime.
      if (globals.Bun === undefined) throws(make, /does not run in a browser/);
      else make();
    } finally {
      globals.process = process;
      delete globals.window;
      delete globals.document;
    }
  },

  'rejects input that cannot be sent, without a synchronous exception': async ({ client }) => {
    const hub = new client.HubClient({ baseUrl: 'https://hub.example.com', apiKey: TEST_KEY });
    await rejects(hub.messages.create(undefined as never), client.HubUsageError);
    await rejects(hub.todos.create({ title: 't', dueDate: new Date('soon') }), /invalid Date/);
  },
};
