/**
 * `bun run test:postgres [FILE…]`: runs on PostgreSQL what `bun run test` cannot, which needs no other service: the suites
 * that must pass on both storages, over HTTP and by the store itself, and the tests declared with `onlyOnPostgres`. All of them use
 * one server of their own, which ends with them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgresForTests } from '@hub/testkit/in-process/test-databases';
import { Glob } from 'bun';

const root = join(import.meta.dir, '..');
/**
 * Suites of what the storage can change: its contract, the limits of keys, live views, search, files, counts, and what
 * happens at the same moment. `every-action` and `foreign-ids` send each request of the API once, so that a statement that
 * only one of the databases accepts is noticed; what else the use cases do is the same on both.
 */
const ON_BOTH = new RegExp(
  `^apps/api/(${[
    'src/live/(live|live-rights)',
    'src/programs/public-gate',
    'src/workspace/(files/files|hubs/(hubs|unread)|items/concurrent-changes|keys/(key-usage|rate-limit)|search/search)',
    'src/workspace/users/(device-logins|links|users)',
    'test/(every-action|foreign-ids|late-bodies|restored|same-.*|store.*|user-limits)',
  ].join('|')})\\.test\\.ts$`,
);

const all = [...new Glob('{apps,packages,scripts}/**/*.test.ts').scanSync(root)].filter(
  (path) => !path.includes('node_modules/'),
);
const suites = all
  .sort()
  .filter((path) => ON_BOTH.test(path) || /\bonlyOnPostgres\./.test(readFileSync(join(root, path), 'utf8')));
const wanted = process.argv.slice(2);
const files = wanted.length === 0 ? suites : suites.filter((path) => wanted.some((each) => path.includes(each)));

if (files.length === 0) {
  process.stderr.write(`No suite that runs on PostgreSQL has a path with ${wanted.join(' or ')}\n`);
  process.exit(2);
}
const postgres = await startPostgresForTests();
const tests = Bun.spawn(
  [process.execPath, 'test', '--parallel=2', '--no-isolate', '--timeout=180000', ...files.map((each) => `./${each}`)],
  {
    cwd: root,
    // As in `bun run test`: CONTRIBUTING.md says why.
    env: {
      ...process.env,
      MIMALLOC_PURGE_DELAY: '-1',
      HUB_TEST_STORAGE: 'postgres',
      HUB_TEST_POSTGRES_URL: postgres.url(),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  },
);
const code = await tests.exited;
await postgres.dispose();
process.exit(code);
