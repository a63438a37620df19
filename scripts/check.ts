/**
 * `bun run check`: everything that can be checked without running the tests. The parts run in parallel; each prints a
 * line, and all problems are listed at the end.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { deadLinks } from './check/dead-links.ts';
import { dependencyProblems } from './check/dependencies.ts';
import { houseRuleProblems } from './check/house-rules.ts';
import { plainLanguageProblems } from './check/plain-language.ts';
import { repositoryFiles } from './check/repository-files.ts';
import { threatModelProblems } from './check/threat-model.ts';

/** The trees whose imports .dependency-cruiser.json restricts. */
const SOURCES = ['apps/api/src', 'apps/cli/src', 'apps/web/src', 'packages/client/src', 'packages/contract/src'];

interface Part {
  name: string;
  /** Returns a message for each problem. */
  findProblems: () => string[] | Promise<string[]>;
}

const root = resolve(import.meta.dir, '..');
const files = repositoryFiles(root);
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const parts: Part[] = [
  {
    name: 'format and lint',
    findProblems: () =>
      program('node_modules/@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', '--colors=off', '.'),
  },
  { name: 'types', findProblems: () => program('node_modules/typescript/bin/tsc', '--noEmit') },
  {
    name: 'types of the web app',
    findProblems: () => program('node_modules/typescript/bin/tsc', '--noEmit', '-p', 'apps/web'),
  },
  {
    name: 'types of the service worker',
    findProblems: () => program('node_modules/typescript/bin/tsc', '--noEmit', '-p', 'apps/web/src/service-worker'),
  },
  {
    name: 'types of the browser tests',
    findProblems: () => program('node_modules/typescript/bin/tsc', '--noEmit', '-p', 'apps/web/browser'),
  },
  { name: 'generated documents', findProblems: () => program('scripts/generate-docs.ts', '--check') },
  { name: 'migrations', findProblems: () => program('apps/api/generate-migrations.ts', '--check') },
  { name: 'OpenAPI document', findProblems: openApiProblems },
  { name: 'links in documents', findProblems: () => deadLinks(files, read) },
  { name: 'threat model', findProblems: () => threatModelProblems('docs/security.md', { files, read }) },
  { name: 'dependencies', findProblems: () => dependencyProblems(files, read) },
  {
    name: 'imports',
    findProblems: () => program('node_modules/dependency-cruiser/bin/dependency-cruiser.mjs', ...SOURCES),
  },
  { name: 'house rules', findProblems: () => houseRuleProblems(files, read) },
  { name: 'plain language', findProblems: () => plainLanguageProblems(files, read) },
];

/**
 * Runs a program from this repository with the current Bun executable. If the program fails, its output is reported as
 * the problem.
 */
async function program(...command: string[]): Promise<string[]> {
  const child = Bun.spawn([process.execPath, ...command], { cwd: root, stdout: 'pipe', stderr: 'pipe' });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return code === 0 ? [] : [`${stdout}${stderr}`.trim() || `exit code ${code}`];
}

/**
 * Checks the document that a real server returns. Imports the server here, so that only this part fails if the server
 * cannot be loaded.
 */
async function openApiProblems(): Promise<string[]> {
  const { startTestHub } = await import('@hub/testkit/in-process/test-hub');
  const checker = await import('./check/openapi-problems.ts');
  await using hub = await startTestHub();
  const response = await hub.fetch('/api/openapi.json');
  return checker.openApiProblems((await response.json()) as object);
}

async function check({ name, findProblems }: Part): Promise<{ name: string; problems: string[] }> {
  const start = performance.now();
  const problems = await Promise.resolve()
    .then(findProblems)
    .catch((error: unknown) => [error instanceof Error ? (error.stack ?? error.message) : String(error)]);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'}  ${name} (${seconds} s)`);
  return { name, problems };
}

const failed = (await Promise.all(parts.map(check))).filter(({ problems }) => problems.length > 0);
for (const { name, problems } of failed) console.log(`\n${name}:\n${problems.join('\n').replace(/^/gm, '  ')}`);
if (failed.length > 0) console.log(`\nFailed: ${failed.map(({ name }) => name).join('; ')}`);
console.log(`${parts.length - failed.length} passed, ${failed.length} failed`);
process.exit(failed.length === 0 ? 0 : 1);
