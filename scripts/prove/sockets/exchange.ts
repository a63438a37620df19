import { connect } from 'node:net';

export interface Exchange {
  readonly statuses: readonly number[];
  readonly received: string;
  readonly isClosed: boolean;
}

interface ExchangeOptions {
  /** Whether to hang up as soon as everything is written. */
  readonly isLeaving?: boolean;
  /** How long to wait for the server to hang up; by default, waits only for the first response. */
  readonly closeMs?: number;
}

const RESPONSE_MS = 3_000;

/** Sends bytes on a new connection, and returns everything received. */
export function exchange(port: number, bytes: Uint8Array, { isLeaving, closeMs }: ExchangeOptions): Promise<Exchange> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    let received = '';
    const end = (isClosed: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      const statuses = [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => Number(match[1]));
      resolve({ statuses, received, isClosed });
    };
    const timer = setTimeout(() => end(false), closeMs ?? RESPONSE_MS);
    socket.on('connect', () => {
      socket.write(bytes, () => isLeaving && socket.destroy());
    });
    socket.on('data', (chunk) => {
      received += chunk;
      if (closeMs === undefined && isWhole(received)) end(false);
    });
    socket.on('error', () => {});
    socket.on('close', () => end(true));
  });
}

/** Returns whether a response and its body are complete. */
function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return false;
  return text.length >= end + 4 + Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
}
