import { wrapAnsi } from 'fast-wrap-ansi';
import stringWidth from 'string-width';
import WebSocket from 'ws';
import { fetchOverSocket, fetchThroughProxy, tunnelAgent } from './http.node.ts';
import type { Platform } from './platform.ts';

/** Replaces `platform.ts` in the package for npm, which runs on Node. */
export const platform: Platform = {
  textWidth: stringWidth,
  wrapAnsi: (text, columns) => wrapAnsi(text, columns, { hard: true }),
  // Node also opens /dev/null, but just as cron and systemd do, and sets O_CLOEXEC on all: they look the same.
  isClosed: () => false,
  readStdin: () => process.stdin,
  fetch: async (url, { unix, ...init }, proxy) => {
    try {
      if (unix !== undefined) return await fetchOverSocket(unix, url, init);
      return await (proxy === undefined ? fetch(url, init as RequestInit) : fetchThroughProxy(proxy, url, init));
    } catch (error) {
      // Bun has the code on the error itself, Node on its cause.
      const { cause } = error as { cause?: { code?: unknown } };
      throw typeof cause?.code === 'string' ? cause : error;
    }
  },
  openSocket: (url, headers, proxy) =>
    // The package does not contain compression: apps/cli/build.ts.
    new WebSocket(url, {
      headers,
      perMessageDeflate: false,
      ...(proxy !== undefined && { agent: tunnelAgent(proxy, url) }),
    }),
};
