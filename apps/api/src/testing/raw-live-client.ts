import { connect } from 'node:net';
import type { ClientFrame, ServerFrame } from '@hub/contract';
import type { TestHub } from './start-test-hub.ts';

/** The example of RFC 6455, section 1.3. */
export const HANDSHAKE_KEY = 'dGhlIHNhbXBsZSBub25jZQ==';

const TEXT = 0x81;

/**
 * Opens a live connection as the local admin over a plain socket, which can stop reading. The WebSocket of the runtime
 * cannot.
 */
export async function rawLiveClient({ socketPath }: Pick<TestHub, 'socketPath'>) {
  const socket = connect(socketPath);
  socket.write(
    'GET /api/v1/live HTTP/1.1\r\nHost: hub\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
      `Sec-WebSocket-Key: ${HANDSHAKE_KEY}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
  );
  const head = String(await new Promise<Buffer>((resolve) => socket.once('data', resolve)));

  const frames: ServerFrame[] = [];
  let rest = Buffer.alloc(0);
  let waiting: (() => void)[] = [];
  socket.on('data', (data: Buffer) => {
    rest = Buffer.concat([rest, data]);
    for (let next = firstFrame(rest); next; next = firstFrame(rest)) {
      if (next.opcode === TEXT) frames.push(JSON.parse(next.payload.toString()));
      rest = rest.subarray(next.end);
    }
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  });
  const frame = async (fits: (frame: ServerFrame) => boolean): Promise<ServerFrame> => {
    for (;;) {
      const found = frames.find(fits);
      if (found) return found;
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };

  return {
    socket,
    /** The response to the handshake. */
    head,
    /** Sends a short text frame, masked with zeros (RFC 6455, section 5.2). */
    send: (sent: ClientFrame): void => {
      const text = Buffer.from(JSON.stringify(sent));
      socket.write(Buffer.concat([Buffer.from([TEXT, 0x80 | text.length, 0, 0, 0, 0]), text]));
    },
    pause: () => socket.pause(),
    read: () => socket.resume(),
    /** Resolves with the first matching frame, past or future. */
    frame,
    upTo: (hubId: string, seq: number) =>
      frame((each) => each.type === 'event' && each.hubId === hubId && each.seq === seq),
    /** Returns the numbers of all events of the Hub, in the order in which they arrived. */
    seqs: (hubId: string): number[] =>
      frames.flatMap((each) => (each.type === 'event' && each.hubId === hubId ? [each.seq] : [])),
  };
}

/** Returns the first frame once it is complete. The server does not mask frames. */
function firstFrame(bytes: Buffer): { opcode: number; payload: Buffer; end: number } | undefined {
  if (bytes.length < 2) return undefined;
  const [opcode = 0, short = 0] = bytes;
  const start = short === 127 ? 10 : short === 126 ? 4 : 2;
  if (bytes.length < start) return undefined;
  const length = short === 127 ? Number(bytes.readBigUInt64BE(2)) : short === 126 ? bytes.readUInt16BE(2) : short;
  const end = start + length;
  return bytes.length < end ? undefined : { opcode, payload: bytes.subarray(start, end), end };
}
