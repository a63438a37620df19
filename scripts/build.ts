/** `bun run build`: dist/hubctl, one file that needs neither Bun nor this repository, and the package of the client. */
import { relative, resolve } from 'node:path';

const root = resolve(import.meta.dir, '..');
const outputs = [
  { script: 'apps/cli/build.ts', made: 'dist/hubctl' },
  { script: 'packages/client/build.ts', made: 'packages/client/dist' },
];

for (const { script, made } of outputs) {
  const build = Bun.spawn([process.execPath, script], { cwd: root, stdout: 'inherit', stderr: 'inherit' });
  if ((await build.exited) !== 0) {
    console.error(`${script} failed: ${made} was not made.`);
    process.exit(1);
  }
}
console.log(outputs.map(({ made }) => relative(process.cwd(), resolve(root, made))).join('\n'));
