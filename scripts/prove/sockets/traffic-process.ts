/**
 * Sends the posts of `traffic.ts` in a separate process, where nothing else delays a response. Controlled by messages.
 */
import { type Connection, openConnection, postRequest } from '@hub/testkit';
import type { TrafficReport, TrafficRequest } from './traffic.ts';

const CONNECTIONS = 4;

let window: number[] = [];
let sent = 0;
const rejected: string[] = [];
let isStopped = false;

process.on('message', async (message: TrafficRequest | 'take' | 'stop') => {
  if (typeof message === 'object') return void start(message);
  if (message === 'stop') isStopped = true;
  const report: TrafficReport = { sent, rejected, window };
  window = [];
  process.send?.(report);
  if (isStopped) process.disconnect?.();
});

async function start({ port, keys, rate }: TrafficRequest): Promise<void> {
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => openConnection(port)));
  const begin = performance.now();
  const work = async (connection: Connection): Promise<void> => {
    while (!isStopped) {
      const number = sent;
      sent += 1;
      const due = begin + (number / rate) * 1_000;
      await Bun.sleep(Math.max(0, due - performance.now()));
      const key = keys[number % keys.length] ?? '';
      const { status, body } = await connection.send(postRequest('messages', key, `normal ${number}`));
      if (status !== 201) rejected.push(`${status} ${body}`);
      window.push(performance.now() - due);
    }
    connection.close();
  };
  await Promise.all(connections.map(work));
}
