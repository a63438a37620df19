import { request } from 'node:http';
import { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import sliceAnsi from 'slice-ansi';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import WebSocket from 'ws';
import type { Fetch } from './deps.ts';
import { failed } from './errors.ts';
import type { Platform } from './platform.ts';

/** Replaces `platform.ts` in the package for npm, which runs on Node. */
export const platform: Platform = {
  textWidth: stringWidth,
  stripAnsi: stripVTControlCharacters,
  sliceAnsi: (text, start, end, ellipsis = '') => {
    if (ellipsis === '' || end === undefined || stringWidth(text) <= end) return sliceAnsi(text, start, end);
    return sliceAnsi(text, start, end - stringWidth(ellipsis)) + ellipsis;
  },
  // Unlike Bun, these packages take quadratic time to cut a long word piece by piece, as text-layout.ts would do.
  wrapAnsi: (text, columns) => wrapAnsi(text, columns, { hard: true }),
  // Node also opens /dev/null, but just as cron and systemd do, and sets O_CLOEXEC on all: they look the same.
  isClosed: () => false,
  readStdin: () => process.stdin,
  fetch: async (url, { unix, ...init }) => {
    try {
      return await (unix === undefined ? fetch(url, init as RequestInit) : fetchOverSocket(unix, url, init));
    } catch (error) {
      // Bun has the code on the error itself, Node on its cause.
      const { cause } = error as { cause?: { code?: unknown } };
      throw typeof cause?.code === 'string' ? cause : error;
    }
  },
  openSocket: (url, headers) => new WebSocket(url, { headers }),
  sqlite: async (command) => {
    throw failed(
      'unsupported',
      `hubctl ${command} needs SQLite, which the npm package of hubctl does not have.`,
      'Use the hubctl executable, or hubctl from the repository of the server.',
    );
  },
};

/** Sends a request over a unix socket, which the `fetch` of Node cannot. */
function fetchOverSocket(socketPath: string, url: string, init: Parameters<Fetch>[1]): Promise<Response> {
  const { pathname, search } = new URL(url);
  const { method = 'GET', body, signal } = init;
  const headers = Object.fromEntries(new Headers(init.headers));
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const sent = request({ socketPath, path: pathname + search, method, headers, ...(signal && { signal }) });
    sent.on('error', (error) => reject(signal?.aborted ? signal.reason : error));
    sent.on('response', (received) => {
      const { statusCode: status = 0, headersDistinct } = received;
      const all = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      );
      const isEmpty = status === 204 || status === 304;
      if (isEmpty) received.resume();
      resolve(new Response(isEmpty ? null : (Readable.toWeb(received) as ReadableStream), { status, headers: all }));
    });
    sent.end(body ?? undefined);
  });
}
