import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runProof } from './proof.ts';
import { checkMalformed } from './sockets/check-malformed.ts';
import { setStage } from './sockets/stage.ts';
import { spawnServer, stopServer } from './start-server.ts';

await runProof({ limitSeconds: 120 }, async (proof) => {
  const dataDir = join(proof.folder, 'data');
  mkdirSync(dataDir);
  const server = spawnServer({ dataDir });
  const stage = await setStage(server, await server.serving());
  await checkMalformed(proof, stage);
  const errors = server
    .stdout()
    .split('\n')
    .filter((line) => line.includes('"level":"error"'));
  proof.check('no error is in the log', errors.length === 0, errors.slice(0, 3).join('; '));
  proof.check('the server stops with 0 in the end', (await stopServer(server)) === 0);
});
