import { loremText } from './load.ts';

/** Precedes the number of a post at the beginning of its text. */
export const MARK = '@@';
const CONNECTIONS = 32;

interface PacedPosts {
  /** When each post was sent, by its number, or when it was due if all connections were busy then. */
  readonly sentAt: number[];
  /** Milliseconds from `sentAt` to the 201. */
  readonly respondedMs: number[];
}

interface PostConnection {
  /** Resolves when the response has arrived. */
  post(request: string): Promise<void>;
}

/** Posts at a steady rate, whether or not the server keeps up. Resolves when every post has its response. */
export async function postPaced(
  { port, keysFile }: { port: number; keysFile: string },
  { ratePerSecond, seconds }: { ratePerSecond: number; seconds: number },
  { sentAt, respondedMs }: PacedPosts,
): Promise<void> {
  const keys = (await Bun.file(keysFile).text()).trim().split('\n');
  const firstKey = Math.floor(Math.random() * keys.length);
  const idle = await Promise.all(Array.from({ length: CONNECTIONS }, () => connectForPosts(port)));
  const due: { serial: number; dueAt: number }[] = [];
  const total = ratePerSecond * seconds;
  const finished = Promise.withResolvers<void>();

  const post = async (connection: PostConnection, serial: number, startedAt: number): Promise<void> => {
    const request = requestFor(keys[(firstKey + serial) % keys.length] ?? '', `${MARK}${serial} ${loremText(serial)}`);
    sentAt[serial] = startedAt;
    await connection.post(request);
    if (respondedMs.push(performance.now() - startedAt) === total) finished.resolve();
    const next = due.shift();
    if (next) await post(connection, next.serial, next.dueAt);
    else idle.push(connection);
  };
  const start = performance.now();
  for (let serial = 0; serial < total; serial += 1) {
    const dueAt = start + (serial / ratePerSecond) * 1000;
    // Sleeping for less than a millisecond returns immediately, which would make this a busy loop.
    while (performance.now() < dueAt) {
      await Promise.race([finished.promise, Bun.sleep(Math.max(1, dueAt - performance.now()))]);
    }
    const connection = idle.pop();
    // Late timers in this process do not count against the server: if a connection is free, timing starts now.
    if (connection) post(connection, serial, performance.now()).catch(finished.reject);
    else due.push({ serial, dueAt });
  }
  await finished.promise;
}

function requestFor(key: string, text: string): string {
  const json = JSON.stringify({ text });
  return (
    `POST /api/public/v1/messages HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`
  );
}

/** A plain socket, so that sending costs next to nothing. Responses are short enough to arrive in one piece. */
async function connectForPosts(port: number): Promise<PostConnection> {
  let waiting: PromiseWithResolvers<void> | undefined;
  const fail = (reason: string): void => waiting?.reject(new Error(reason));
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      data: (_, chunk) => {
        if (chunk.indexOf('HTTP/1.1 201 ') === 0) waiting?.resolve();
        else fail(`Unexpected response to a post: ${chunk}`);
      },
      close: () => fail('The server closed a posting connection'),
    },
  });
  socket.setNoDelay(true);
  return {
    post: (request) => {
      waiting = Promise.withResolvers();
      if (socket.write(request) < request.length) fail('The server accepts no more posts');
      return waiting.promise;
    },
  };
}
