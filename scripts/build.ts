/** `bun run build`: builds dist/hubctl, a standalone executable, and the client package. */
import { relative, resolve } from 'node:path';

const root = resolve(import.meta.dir, '..');
const outputs = [
  { script: 'apps/cli/build.ts', output: 'dist/hubctl' },
  { script: 'packages/client/build.ts', output: 'packages/client/dist' },
];

for (const { script, output } of outputs) {
  const build = Bun.spawn([process.execPath, script], { cwd: root, stdout: 'inherit', stderr: 'inherit' });
  if ((await build.exited) !== 0) {
    console.error(`${script} failed: ${output} was not built.`);
    process.exit(1);
  }
}
console.log(outputs.map(({ output }) => relative(process.cwd(), resolve(root, output))).join('\n'));
