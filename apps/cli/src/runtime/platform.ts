import { readFileSync, readlinkSync } from 'node:fs';
import type { LiveSocket } from '@hub/client/live';

/** The APIs that differ between runtimes. The package for npm contains `platform.node.ts` instead of this file. */
export interface Platform {
  /** Returns the width in terminal columns. Escape sequences take none. */
  textWidth(text: string): number;
  /** Breaks lines between words, and longer words anywhere. */
  wrapAnsi(text: string, columns: number): string;
  /** Returns whether a descriptor was closed when the program started, as far as this can be known. */
  isClosed(descriptor: number): boolean;
  /** Yields standard input as it arrives. */
  readStdin(): AsyncIterable<Uint8Array>;
  /** Like the standard `fetch`, or over a unix socket. Errors have the code of the system. */
  fetch(url: string, init: BunFetchRequestInit, proxy: string | undefined): Promise<Response>;
  /** Opens a WebSocket, also for `ws+unix://` URLs. */
  openSocket(url: string, headers: Record<string, string>, proxy: string | undefined): LiveSocket;
}

export const platform: Platform = {
  textWidth: (text) => Bun.stringWidth(text),
  wrapAnsi: (text, columns) => Bun.wrapAnsi(text, columns, { hard: true }),
  isClosed,
  readStdin: () => Bun.stdin.stream(),
  fetch: (url, init, proxy) => fetch(url, proxy === undefined ? init : { ...init, proxy }),
  openSocket: (url, headers, proxy) => new WebSocket(url, proxy === undefined ? { headers } : { headers, proxy }),
};

/** The flag `O_CLOEXEC` on Linux, as shown in /proc. */
const CLOSE_ON_EXEC = 0o2000000;

/**
 * For a descriptor that was closed when the program started, Bun opens /dev/null, which would discard all output. It is
 * recognizable by `O_CLOEXEC`, which Bun leaves inherited descriptors without. Linux only.
 */
function isClosed(descriptor: number): boolean {
  try {
    if (readlinkSync(`/proc/self/fd/${descriptor}`) !== '/dev/null') return false;
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1] ?? '0';
    return (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) !== 0;
  } catch {
    return false;
  }
}
