/**
 * The load generator: plain sockets and prepared requests, so that it uses as little as possible of the two cores that
 * it shares with the server. Runs in a process of its own: `bun load.ts '<JSON of LoadPlan>'`. Prints a LoadResult.
 */
import { quantile } from './statistics.ts';

export interface LoadPlan {
  port: number;
  connections: number;
  seconds: number;
  /** File with one key per line; requests use them in turn, so that no key reaches its limit. */
  keysFile: string;
  /**
   * Requests per second, open loop: each request is due at a fixed time and, if it has to wait for a connection, its
   * latency is measured from that time. Without a rate: closed loop.
   */
  ratePerSecond?: number;
}

export interface LoadResult {
  posts: number;
  failed: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

/**
 * Returns about 1 KB of text. Words are distributed as in real text: a few make up most of it, and new ones keep
 * appearing (20,000 words whose frequency falls with their rank, as in Zipf's law), because that is what a search
 * index is sensitive to.
 */
function loremText(serial: number): string {
  let random = (serial * 2_654_435_761) % 4_294_967_296;
  let text = `Run ${serial}:`;
  while (text.length < 980) {
    random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
    text += ` w${Math.floor(Math.exp((random / 2_147_483_648) * Math.log(20_000))).toString(36)}`;
  }
  return text.slice(0, 980);
}

function requests(keys: string[]): Buffer[] {
  return Array.from({ length: 20_000 }, (_, serial) => {
    const json = JSON.stringify({ text: loremText(serial) });
    return Buffer.from(
      `POST /api/public/v1/messages HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${keys[serial % keys.length]}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`,
    );
  });
}

interface Connection {
  startedAt: number;
  received: string;
  send(request: Buffer): void;
}

async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const keys = (await Bun.file(plan.keysFile).text()).trim().split('\n');
  const ready = requests(keys);
  const latencies: number[] = [];
  let failed = 0;
  let next = Math.floor(Math.random() * ready.length);
  const idle: Connection[] = [];
  const due: number[] = [];
  const end = performance.now() + plan.seconds * 1000;

  const begin = (connection: Connection, startedAt: number): void => {
    connection.startedAt = startedAt;
    connection.received = '';
    connection.send(ready[next++ % ready.length] as Buffer);
  };
  const responded = (connection: Connection): void => {
    const now = performance.now();
    latencies.push(now - connection.startedAt);
    if (!connection.received.startsWith('HTTP/1.1 201')) failed += 1;
    if (plan.ratePerSecond === undefined) {
      if (now < end) begin(connection, now);
      return;
    }
    const waiting = due.shift();
    if (waiting === undefined) idle.push(connection);
    else begin(connection, waiting);
  };

  const sockets = await Promise.all(
    Array.from({ length: plan.connections }, async () => {
      const connection: Connection = { startedAt: 0, received: '', send: () => {} };
      const socket = await Bun.connect({
        hostname: '127.0.0.1',
        port: plan.port,
        socket: {
          data: (_, chunk) => {
            connection.received += chunk.toString('latin1');
            if (isWhole(connection.received)) responded(connection);
          },
          error: () => {
            failed += 1;
          },
        },
      });
      socket.setNoDelay(true);
      connection.send = (request) => void socket.write(request);
      idle.push(connection);
      return socket;
    }),
  );

  const start = performance.now();
  if (plan.ratePerSecond === undefined) {
    for (const connection of idle.splice(0)) begin(connection, performance.now());
    await Bun.sleep(end - performance.now() + 200);
  } else {
    let sent = 0;
    while (performance.now() < end) {
      const target = Math.floor(((performance.now() - start) / 1000) * plan.ratePerSecond);
      for (; sent < target; sent += 1) {
        const dueAt = start + (sent / plan.ratePerSecond) * 1000;
        const connection = idle.pop();
        // Late timers in this process do not count against the server: if a connection is free, timing starts now.
        if (connection) begin(connection, performance.now());
        else due.push(dueAt);
      }
      await Bun.sleep(1);
    }
    await Bun.sleep(300);
  }
  for (const socket of sockets) socket.end();
  return {
    posts: latencies.length,
    failed,
    perSecond: latencies.length / plan.seconds,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
  };
}

function isWhole(text: string): boolean {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd === -1) return false;
  const length = /content-length: (\d+)/i.exec(text);
  return text.length >= headEnd + 4 + Number(length?.[1] ?? 0);
}

if (import.meta.main) {
  console.log(JSON.stringify(await runLoad(JSON.parse(Bun.argv[2] ?? '{}') as LoadPlan)));
  process.exit(0);
}
