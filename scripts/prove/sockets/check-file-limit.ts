import { connect } from 'node:net';
import type { Proof } from '@hub/testkit';
import { openConnection, openFiles, postRequest, spawnServer, stopServer } from '@hub/testkit';
import { issueKeys, setUp } from './setup.ts';

const FILES = 128;
const SILENT = 140;
/** If nothing is sent on a connection, the kernel does not pass the connection to the server at first. */
const ACCEPTED_MS = 3_000;
const POST_MS = 500;
const AGAIN_MS = 30_000;

/**
 * Checks a server that cannot open another file for a new connection: existing connections continue to work, and new
 * ones are accepted once silent ones have been closed.
 */
export async function checkFileLimit(proof: Proof, dataDir: string): Promise<void> {
  const under = ['sh', '-c', `ulimit -n ${FILES}; exec "$@"`, 'sh'];
  const server = spawnServer({ dataDir, under });
  const setup = await setUp(server, await server.serving());
  const keys = (await issueKeys(setup, 4)).map(({ key }) => key);
  const there = await openConnection(setup.port);
  // The server does not see a connection on which nothing was sent.
  await there.send(postRequest('messages', keys[0] ?? '', 'there'));
  const silent = Array.from({ length: SILENT }, () =>
    connect({ host: '127.0.0.1', port: setup.port }).on('error', () => {}),
  );
  await Bun.sleep(ACCEPTED_MS);
  const full = openFiles(server.pid);
  proof.check(`all ${FILES} files of the server are in use`, full >= FILES - 1, `${full} are`);

  const start = performance.now();
  const late = openConnection(setup.port);
  let lateMs = Number.POSITIVE_INFINITY;
  const lateResponse = late
    .then((connection) => connection.send(postRequest('messages', keys[0] ?? '', 'late')))
    .then(({ status }) => {
      lateMs = performance.now() - start;
      return status;
    });
  const statuses: number[] = [];
  while (lateMs === Number.POSITIVE_INFINITY && performance.now() - start < AGAIN_MS) {
    const key = keys[statuses.length % keys.length] ?? '';
    statuses.push((await there.send(postRequest('messages', key, `there ${statuses.length}`))).status);
    await Bun.sleep(POST_MS);
  }
  const rejected = statuses.filter((status) => status !== 201);
  proof.report(
    `${statuses.length} posts meanwhile over a connection that was there; a newcomer waited ${(lateMs / 1000).toFixed(1)} s`,
  );
  proof.check('existing connections keep working', rejected.length === 0 && statuses.length > 3, rejected.join(', '));
  const isIn = lateMs !== Number.POSITIVE_INFINITY && (await lateResponse) === 201;
  proof.check('a new connection is accepted once silent ones are closed', isIn && lateMs < 20_000);
  for (const socket of silent) socket.destroy();
  there.close();
  if (isIn) (await late).close();
  proof.check('that server exits with 0', (await stopServer(server)) === 0);
}
