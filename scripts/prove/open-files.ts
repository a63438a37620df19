/**
 * Promise: a server that cannot open another file keeps serving the connections it has, and accepts new ones as soon as
 * it has closed silent ones.
 *
 * Proof: silent connections use up all files of a server with a low limit, while an existing connection posts and a new
 * one waits.
 *
 * `bun run prove:open-files`; there is no long form.
 */
import { connect } from 'node:net';
import { join } from 'node:path';
import { HubServer, openConnection, openFiles, postRequest, runProof } from '@hub/testkit';

const FILES = 128;
const SPEAK_MS = 2_000;

/** Lets the other connections speak every few seconds, so that none is closed. */
const counterProof = { fails: 'a new connection is accepted' };

await runProof({ limitSeconds: 90, counterProof }, async (proof) => {
  const under = ['sh', '-c', `ulimit -n ${FILES}; exec "$@"`, 'sh'];
  const server = await new HubServer(join(proof.folder, 'data'), { under }).start();
  const keys = await server.admin.issueKeys(await server.admin.createHubs(1), 5);
  const [first = '', ...others] = keys.map(({ key }) => key);
  const there = await openConnection(server.port);
  // The server does not see a connection on which nothing was sent.
  await there.send(postRequest('messages', first, 'there'));
  const silent = Array.from({ length: 140 }, () => connect(server.port, '127.0.0.1').on('error', () => {}));
  const speaking = setInterval(() => {
    if (proof.isCounterProof) for (const socket of silent) socket.write('GET /healthz HTTP/1.1\r\nHost: hub\r\n\r\n');
  }, SPEAK_MS);
  // If nothing is sent on a connection, the kernel does not pass the connection to the server at first.
  await Bun.sleep(3_000);
  const full = openFiles(server.pid);
  proof.check(`all ${FILES} files of the server are in use`, full >= FILES - 1, `${full} are`);

  const start = performance.now();
  let lateMs = Number.POSITIVE_INFINITY;
  const late = openConnection(server.port).then(async (connection) => {
    const { status } = await connection.send(postRequest('messages', first, 'late'));
    lateMs = performance.now() - start;
    connection.close();
    return status;
  });
  const statuses: number[] = [];
  while (lateMs === Number.POSITIVE_INFINITY && performance.now() - start < 30_000) {
    const key = others[statuses.length % others.length] ?? '';
    statuses.push((await there.send(postRequest('messages', key, `there ${statuses.length}`))).status);
    await Bun.sleep(500);
  }
  const rejected = statuses.filter((status) => status !== 201);
  const seconds = (lateMs / 1000).toFixed(1);
  proof.report(`${statuses.length} posts meanwhile over a connection that was there; a newcomer waited ${seconds} s`);
  proof.check('existing connections keep working', rejected.length === 0 && statuses.length > 3, rejected.join(', '));
  const isIn = lateMs < 20_000 && (await late) === 201;
  proof.check('a new connection is accepted once silent ones are closed', isIn);
  clearInterval(speaking);
  for (const socket of silent) socket.destroy();
  there.close();
  proof.check('the server finally exits with 0', (await server.stop()) === 0);
});
