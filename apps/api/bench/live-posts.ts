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
  const posting = new Set<Promise<void>>();

  const post = async (connection: PostConnection, serial: number, startedAt: number): Promise<void> => {
    const request = requestOf(keys[(firstKey + serial) % keys.length] ?? '', `${MARK}${serial} ${words(serial)}`);
    sentAt[serial] = startedAt;
    await connection.post(request);
    answeredMs.push(performance.now() - startedAt);
    const next = due.shift();
    if (next) await post(connection, next.serial, next.dueAt);
    else idle.push(connection);
  };
  const start = performance.now() + 100;
  for (let serial = 0; serial < ratePerSecond * seconds; serial += 1) {
    const dueAt = start + (serial / ratePerSecond) * 1000;
    for (let left = dueAt - performance.now(); left > 0; left = dueAt - performance.now()) await Bun.sleep(left);
    const connection = idle.pop();
    if (!connection) {
      due.push({ serial, dueAt });
      continue;
    }
    const one = post(connection, serial, performance.now()).finally(() => posting.delete(one));
    posting.add(one);
  }
  while (posting.size > 0) await Promise.all(posting);
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
      socket.write(request);
      return waiting.promise;
    },
  };
}
