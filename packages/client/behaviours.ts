/**
 * Tests of the client that run on Bun, and with the built client on Node. As a program with HUB_TRIAL, runs them on the
 * current runtime, and prints the failures by title as JSON. The process must exit by itself: a client that leaves a timer
 * or a socket open would keep it alive.
 */
import { deepEqual, doesNotMatch, equal, match, ok, throws } from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { failureOf } from '@hub/testkit/concurrency';
import type * as Client from './src/index.ts';
import { TEST_KEY } from './test/timed-client.ts';

interface Trial {
  client: typeof Client;
  /** The address of a real server, and a key for it. */
  url: string;
  key: string;
  /** A self-signed certificate for localhost and its key, in PEM. */
  tls: { cert: string; key: string };
}

const text = { text: 'x' };

const responseCreated: RequestListener = (_, response) => {
  const data = { id: 'id_1', conversationId: 'cnv_1', createdAt: '2026-03-01T09:30:00.000Z' };
  response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ success: true, data }));
};

const cutShort: RequestListener = (_, response) => {
  response.writeHead(201, { 'content-length': '100' });
  response.write('{"succ', () => response.socket?.destroy());
};

/** Starts a server on a free port (or on `wanted`) at all localhost addresses, and then calls `then`. */
async function listening(onRequest: RequestListener, then?: (server: Server) => Promise<void>, port = 0) {
  const server = createServer(onRequest);
  await new Promise<void>((resolve) => server.listen(port, resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  await then?.(server);
  return { server, port: address.port };
}

function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

/** The tests by title. They use only APIs of both Node and Bun, and are independent of each other. */
export const behaviours: Record<string, (trial: Trial) => Promise<void>> = {
  'posts a message, a note and a to-do': async ({ client, url, key }) => {
    const responses: Client.HubResponse[] = [];
    const hub = new client.HubClient({ baseUrl: url, apiKey: key, onResponse: (response) => responses.push(response) });
    const message = await hub.messages.create({ text: 'Grüße, **Welt** 🎉' }, { runMarker: 'build-1' });
    const note = await hub.notes.create({ title: 'Release', content: '## Changes' });
    const todo = await hub.todos.create({ title: 'Renew', dueDate: new Date(0), priority: 'URGENT' });
    const blocks = await hub.messages.create({ blocks: [{ type: 'paragraph', data: { text: 'Hi' } }] });
    deepEqual(Object.keys(message), ['id', 'conversationId', 'createdAt']);
    for (const item of [note, todo]) deepEqual(Object.keys(item), ['id', 'bucketId', 'createdAt']);
    equal(blocks.conversationId, message.conversationId);
    match(message.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const [first] = responses;
    ok(first?.requestId);
    equal(first.statusCode, 201);
    equal(first.rateLimit?.limit, 60);
  },

  'uploads a file, and posts it': async ({ client, url, key }) => {
    const hub = new client.HubClient({ baseUrl: url, apiKey: key });
    const bytes = new Uint8Array(300_000).fill(7);
    const stream = new Blob([bytes]).stream();
    const files: string[] = [];
    for (const file of [new Blob([bytes], { type: 'text/plain' }), bytes, stream]) {
      const uploaded = await hub.files.upload(file, { name: 'Über.log' });
      equal(uploaded.name, 'Über.log');
      equal(uploaded.size, 300_000);
      equal(uploaded.contentType, file instanceof Blob ? 'text/plain' : 'application/octet-stream');
      files.push(uploaded.id);
    }
    ok((await hub.messages.create({ files })).id);
    const empty = await failureOf(hub.files.upload(new Blob([]), { name: 'empty' }));
    ok(empty instanceof client.HubBadRequestError);
  },

  'ends an upload whose stream stalls, when it is aborted': async ({ client, url, key }) => {
    const hub = new client.HubClient({ baseUrl: url, apiKey: key });
    const reason = new Error('Not needed any more');
    const controller = new AbortController();
    const cancelled: unknown[] = [];
    const pull = () => {
      controller.abort(reason);
      return new Promise<void>(() => {});
    };
    const cancel = (why: unknown) => void cancelled.push(why);
    const stalled = new ReadableStream<Uint8Array>({ pull, cancel }, { highWaterMark: 0 });
    equal(await failureOf(hub.files.upload(stalled, { name: 'report.png', signal: controller.signal })), reason);
    deepEqual(cancelled, [reason]);
  },

  'retries a refused connection, by name and by address': async ({ client }) => {
    for (const host of ['localhost', '127.0.0.1']) {
      const { port } = await listening(() => {}, stop);
      let tries = 0;
      let server: Server | undefined;
      const hub = new client.HubClient({
        baseUrl: `http://${host}:${port}`,
        apiKey: TEST_KEY,
        fetch: async (url, init) => {
          tries += 1;
          // Nothing is listening at the first attempt. The server starts before the second one.
          if (tries === 2) ({ server } = await listening(responseCreated, undefined, port));
          return await fetch(url, init);
        },
      });
      equal((await hub.messages.create(text)).id, 'id_1');
      equal(tries, 2);
      if (server) await stop(server);
    }
  },

  'distinguishes a port without TLS, a lost connection and an untrusted certificate': async ({ client, tls }) => {
    const plain = await listening(responseCreated);
    const secure = createTlsServer(tls, responseCreated);
    await new Promise<void>((resolve) => secure.listen(0, resolve));
    const { port: securePort } = secure.address() as AddressInfo;
    for (const [baseUrl, mayHaveCreated, message] of [
      [`https://localhost:${plain.port}`, false, /does not use TLS/],
      [`https://localhost:${securePort}`, false, /not trusted.*NODE_EXTRA_CA_CERTS/],
      [`http://localhost:${securePort}`, true, /may have been created.*https:/],
    ] as const) {
      const hub = new client.HubClient({ baseUrl, apiKey: TEST_KEY });
      const error = await failureOf(hub.messages.create(text));
      ok(error instanceof client.HubConnectionError, inspect(error));
      match(error.message, message);
      equal(error.mayHaveCreated, mayHaveCreated);
    }
    await stop(plain.server);
    await stop(secure);
  },

  'does not retry after a reset, a truncated response or a response from a proxy': async ({ client }) => {
    const endings: [RequestListener, new (...args: never[]) => Error][] = [
      [(_, response) => response.socket?.destroy(), client.HubConnectionError],
      [(_, response) => response.socket?.resetAndDestroy(), client.HubConnectionError],
      [cutShort, client.HubConnectionError],
      [(_, response) => response.writeHead(502).end('<h1>Bad</h1>'), client.HubServerError],
      [(_, response) => response.writeHead(201).end('OK'), client.HubUnexpectedResponseError],
    ];
    for (const [keepAlive, [ending, kind]] of [false, true].flatMap((each) =>
      endings.map((end) => [each, end] as const),
    )) {
      let requests = 0;
      const { server, port } = await listening((request, response) => {
        requests += 1;
        const respond = requests === 1 ? responseCreated : ending;
        request.resume().on('end', () => respond(request, response));
      });
      const hub = new client.HubClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: TEST_KEY, keepAlive });
      // The connection that ends may have been used before.
      await hub.messages.create(text);
      const error = await failureOf(hub.messages.create(text));
      ok(error instanceof kind, inspect(error));
      equal((error as Client.HubError).mayHaveCreated, true);
      equal(requests, 2);
      await stop(server);
    }
  },

  'does not send the key along a redirect': async ({ client }) => {
    let requests = 0;
    const { server, port } = await listening((_, response) => {
      requests += 1;
      response.writeHead(307, { location: 'https://hub.example.com/api/public/v1/messages' }).end();
    });
    const hub = new client.HubClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: TEST_KEY });
    const error = await failureOf(hub.messages.create(text));
    ok(error instanceof client.HubRedirectError);
    match(error.message, /set baseUrl to https:\/\/hub\.example\.com\.$/);
    equal(requests, 1);
    await stop(server);
  },

  "ends a request without a response on an abort, with the caller's reason": async ({ client }) => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const { server, port } = await listening(() => controller.abort(reason));
    const hub = new client.HubClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: TEST_KEY });
    equal(await failureOf(hub.messages.create(text, { signal: controller.signal })), reason);
    await stop(server);
  },

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
    const { signal } = controller;
    const fetch = () => new Promise<Response>(() => {});
    const hub = new client.HubClient({ baseUrl: 'https://hub.example.com', apiKey: TEST_KEY, fetch });
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
};

const { HUB_TRIAL } = process.env;
if (HUB_TRIAL) {
  const { entry, ...trial } = JSON.parse(HUB_TRIAL) as Omit<Trial, 'client'> & { entry: string };
  const client = (await import(entry)) as typeof Client;
  const failures: Record<string, string | null> = {};
  for (const [name, behave] of Object.entries(behaviours)) {
    failures[name] = await behave({ ...trial, client }).then(
      () => null,
      (error: unknown) => inspect(error),
    );
  }
  console.log(JSON.stringify(failures));
}
