/**
 * Proves that malformed HTTP has no effect, and that deliberately slow peers are disconnected and do not affect others.
 * The long form: `--peers 1000 --rounds 3 --file-limit`, which also exhausts the open files of a server.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runProof, spawnServer, stopServer } from '@hub/testkit';
import { checkFileLimit } from './sockets/check-file-limit.ts';
import { checkMalformed } from './sockets/check-malformed.ts';
import { checkSlow } from './sockets/check-slow.ts';
import { setUp } from './sockets/setup.ts';

const { values } = parseArgs({
  options: {
    peers: { type: 'string', default: '168' },
    rounds: { type: 'string', default: '1' },
    'file-limit': { type: 'boolean' },
  },
});
const [peers, rounds] = [Number(values.peers), Number(values.rounds)];

await runProof({ limitSeconds: 90 + rounds * 40 }, async (proof) => {
  const dataDir = join(proof.folder, 'data');
  mkdirSync(dataDir);
  const server = spawnServer({ dataDir });
  const setup = await setUp(server, await server.serving());
  await checkMalformed(proof, setup);
  await checkSlow(proof, setup, { peers, rounds });
  const errors = server
    .stdout()
    .split('\n')
    .filter((line) => line.includes('"level":"error"'));
  proof.check('the log has no errors', errors.length === 0, errors.slice(0, 3).join('; '));
  proof.check('the server finally exits with 0', (await stopServer(server)) === 0);
  if (!values['file-limit']) return;
  const small = join(proof.folder, 'small');
  mkdirSync(small);
  await checkFileLimit(proof, small);
});
