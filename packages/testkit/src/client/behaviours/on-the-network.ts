import { equal, match, ok } from 'node:assert/strict';
import type { RequestListener, Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import type * as Client from '../../../../client/src/index.ts';
import { failureOf } from '../outcome.ts';
import { TEST_KEY } from '../test-key.ts';
import { cutShort, listening, responseCreated, stop } from './local-server.ts';
import type { Behaviours } from './trial.ts';

const text = { text: 'x' };

/** Tests of failing connections and of responses from other servers. */
export const onTheNetwork: Behaviours = {
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

  'fails after a refused connection with an error that says that nothing was posted': async ({ client }) => {
    const { port } = await listening(() => {}, stop);
    const hub = new client.HubClient({ baseUrl: `http://localhost:${port}`, apiKey: TEST_KEY, connectRetries: 0 });
    const error = await failureOf(hub.messages.create(text));
    ok(error instanceof client.HubConnectionError);
    equal(error.code, 'ECONNREFUSED');
    equal(error.mayHaveCreated, false);
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
      [
        (_, response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad</h1>'),
        client.HubServerError,
      ],
      [(_, response) => response.writeHead(201).end('OK'), client.HubUnexpectedResponseError],
    ];
    for (const [ending, kind] of endings) {
      let requests = 0;
      const { server, port } = await listening((request, response) => {
        requests += 1;
        request.resume().on('end', () => ending(request, response));
      });
      const hub = new client.HubClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: TEST_KEY });
      const error = await failureOf(hub.messages.create(text));
      ok(error instanceof kind, inspect(error));
      equal((error as Client.HubError).mayHaveCreated, true);
      equal(requests, 1);
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

  "ends a request without a response at its timeout, and on an abort with the caller's reason": async (trial) => {
    const arrivals: (() => void)[] = [];
    const { server, port } = await listening(() => arrivals.shift()?.());
    const arrival = () => new Promise<void>((resolve) => arrivals.push(resolve));
    const { hub, clock } = trial.timedClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: TEST_KEY, timeoutMs: 500 });
    const first = arrival();
    const timedOut = failureOf(hub.messages.create(text));
    await first;
    clock.advance(500);
    const error = await timedOut;
    equal((error as Error).name, 'HubTimeoutError');
    equal((error as Client.HubTimeoutError).mayHaveCreated, true);

    const second = arrival();
    const controller = new AbortController();
    const reason = new Error('enough');
    const plain = new trial.client.HubClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: TEST_KEY });
    const aborted = failureOf(plain.messages.create(text, { signal: controller.signal }));
    await second;
    controller.abort(reason);
    equal(await aborted, reason);
    await stop(server);
  },
};
