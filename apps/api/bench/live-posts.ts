import { words } from './load.ts';

/** Stands before the number of a post, at the begin of its text. */
export const MARK = '@@';
const CONNECTIONS = 32;

export interface PacedPosts {
  /** By the number of the post: just before it was sent, or when it was due if all connections were taken then. */
  readonly sentAt: number[];
  /** Milliseconds from there to the 201. */
  readonly answeredMs: number[];
}

interface PostConnection {
  /** Resolves when it is answered. */
  post(request: string): Promise<void>;
}

/** Posts at a steady rate, whether or not the server keeps up, and resolves when all are answered. */
export async function postPaced(
  { port, keysFile }: { port: number; keysFile: string },
  { ratePerSecond, seconds }: { ratePerSecond: number; seconds: number },
  { sentAt, answeredMs }: PacedPosts,
): Promise<void> {
  const keys = (await Bun.file(keysFile).text()).trim().split('\n');
  const firstKey = Math.floor(Math.random() * keys.length);
  const idle = await Promise.all(Array.from({ length: CONNECTIONS }, () => connectForPosts(port)));
  const due: { serial: number; dueAt: number }[] = [];
  const total = ratePerSecond * seconds;
  const over = Promise.withResolvers<void>();

  const post = async (connection: PostConnection, serial: number, startedAt: number): Promise<void> => {
    const request = requestOf(keys[(firstKey + serial) % keys.length] ?? '', `${MARK}${serial} ${words(serial)}`);
    sentAt[serial] = startedAt;
    await connection.post(request);
    if (answeredMs.push(performance.now() - startedAt) === total) over.resolve();
    const next = due.shift();
    if (next) await post(connection, next.serial, next.dueAt);
    else idle.push(connection);
  };
  const start = performance.now();
  for (let serial = 0; serial < total; serial += 1) {
    const dueAt = start + (serial / ratePerSecond) * 1000;
    // A sleep of less than a millisecond is none, and the loop would be a busy one.
    while (performance.now() < dueAt) {
      await Promise.race([over.promise, Bun.sleep(Math.max(1, dueAt - performance.now()))]);
    }
    const connection = idle.pop();
    // The timer of this process is no fault of the server: what can be sent at once counts from when it is sent.
    if (connection) post(connection, serial, performance.now()).catch(over.reject);
    else due.push({ serial, dueAt });
  }
  await over.promise;
}

function requestOf(key: string, text: string): string {
  const json = JSON.stringify({ text });
  return (
    `POST /api/public/v1/messages HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`
  );
}

/** A plain socket, so that sending costs next to nothing. Its answers are short enough to come in one piece. */
async function connectForPosts(port: number): Promise<PostConnection> {
  let waiting: PromiseWithResolvers<void> | undefined;
  const fail = (reason: string): void => waiting?.reject(new Error(reason));
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      data: (_, chunk) => {
        if (chunk.indexOf('HTTP/1.1 201 ') === 0) waiting?.resolve();
        else fail(`A post was answered with ${chunk}`);
      },
      close: () => fail('The server closed a connection for posts'),
    },
  });
  socket.setNoDelay(true);
  return {
    post: (request) => {
      waiting = Promise.withResolvers();
      if (socket.write(request) < request.length) fail('The server takes no more posts');
      return waiting.promise;
    },
  };
}
