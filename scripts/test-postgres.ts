/**
 * `bun run test:postgres [FILE…]`: runs the suites that must pass on both storages on PostgreSQL: those over HTTP, and the
 * contract suites. All of them use one server of their own, which ends with them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import { startPostgresForTests } from '../apps/api/test/support/postgres-under-test.ts';

const root = join(import.meta.dir, '..');
/** Modules of `apps/api/test/support/` that start a whole server or open a store. */
const STARTS_ON_POSTGRES =
  /support\/(live-client|openapi-requests|postgres-under-test|public-caller|team|test-hub|users)\.ts'/;

const all = [...new Glob('apps/api/**/*.test.ts').scanSync(root)].sort();
const suites = all.filter((path) => STARTS_ON_POSTGRES.test(readFileSync(join(root, path), 'utf8')));
const wanted = process.argv.slice(2);
const files = wanted.length === 0 ? suites : suites.filter((path) => wanted.some((each) => path.includes(each)));

if (files.length === 0) {
  process.stderr.write(`No suite that runs on both storages has a path with ${wanted.join(' or ')}\n`);
  process.exit(2);
}
const postgres = await startPostgresForTests();
const tests = Bun.spawn(
  [process.execPath, 'test', '--parallel=2', '--no-isolate', '--timeout=60000', ...files.map((each) => `./${each}`)],
  {
    cwd: root,
    env: { ...process.env, HUB_TEST_STORAGE: 'postgres', HUB_TEST_POSTGRES_URL: postgres.url() },
    stdio: ['ignore', 'inherit', 'inherit'],
  },
);
const code = await tests.exited;
await postgres.dispose();
process.exit(code);
