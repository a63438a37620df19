/**
 * `bun run check`: all that can be known of the repository without running its tests. The parts run side by side; each
 * gives a line, and at the end every fault is named.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { deadLinks } from './check/dead-links.ts';
import { dependencyFaults } from './check/dependencies.ts';
import { houseRuleFaults } from './check/house-rules.ts';
import { repositoryFiles } from './check/repository-files.ts';
import { threatModelFaults } from './check/threat-model.ts';

interface Part {
  name: string;
  /** What is wrong, in words; empty if nothing is. */
  findFaults: () => string[] | Promise<string[]>;
}

const root = resolve(import.meta.dir, '..');
const files = repositoryFiles(root);
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const parts: Part[] = [
  {
    name: 'format, lint and import rules',
    findFaults: () =>
      program('node_modules/@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', '--colors=off', '.'),
  },
  { name: 'types', findFaults: () => program('node_modules/typescript/bin/tsc', '--noEmit') },
  {
    name: 'types of the web app',
    findFaults: () => program('node_modules/typescript/bin/tsc', '--noEmit', '-p', 'apps/web'),
  },
  {
    name: 'types of the browser tests',
    findFaults: () => program('node_modules/typescript/bin/tsc', '--noEmit', '-p', 'apps/web/browser'),
  },
  { name: 'generated documents', findFaults: () => program('scripts/generate-docs.ts', '--check') },
  { name: 'OpenAPI document', findFaults: openApiFaults },
  { name: 'links in documents', findFaults: () => deadLinks(files, read) },
  { name: 'threat model', findFaults: () => threatModelFaults('docs/security.md', { files, read }) },
  { name: 'dependencies', findFaults: () => dependencyFaults(files, read) },
  { name: 'house rules', findFaults: () => houseRuleFaults(files, read) },
];

/** Runs a program of this repository with this Bun, wherever that is. What it says is the fault, if it fails. */
async function program(...command: string[]): Promise<string[]> {
  const child = Bun.spawn([process.execPath, ...command], { cwd: root, stdout: 'pipe', stderr: 'pipe' });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return code === 0 ? [] : [`${stdout}${stderr}`.trim() || `it ended with ${code}`];
}

/** Asks the real server, which is imported here and not above: if it does not load, only this part fails. */
async function openApiFaults(): Promise<string[]> {
  const { startTestHub } = await import('../apps/api/src/testing/start-test-hub.ts');
  const checker = await import('../apps/api/src/testing/openapi-faults.ts');
  await using hub = await startTestHub();
  const answer = await hub.fetch('/api/openapi.json');
  return checker.openApiFaults((await answer.json()) as object);
}

async function judge({ name, findFaults }: Part): Promise<{ name: string; faults: string[] }> {
  const start = performance.now();
  const faults = await Promise.resolve()
    .then(findFaults)
    .catch((error: unknown) => [error instanceof Error ? (error.stack ?? error.message) : String(error)]);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${faults.length === 0 ? 'ok  ' : 'FAIL'}  ${name} (${seconds} s)`);
  return { name, faults };
}

const failed = (await Promise.all(parts.map(judge))).filter(({ faults }) => faults.length > 0);
for (const { name, faults } of failed) console.log(`\n${name}:\n${faults.join('\n').replace(/^/gm, '  ')}`);
if (failed.length > 0) console.log(`\nFailed: ${failed.map(({ name }) => name).join('; ')}`);
console.log(`${parts.length - failed.length} passed, ${failed.length} failed`);
process.exit(failed.length === 0 ? 0 : 1);
