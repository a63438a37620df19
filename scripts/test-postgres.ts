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
/** Suites of what the storage can change: keys, limits, items, lists, links, search, live views and nodes. */
const ON_BOTH = new RegExp(
  `^apps/api/(${[
    'src/(live|mail|workspace/(files|items|keys|removals|search))/.*',
    'src/workspace/(hubs/(hubs|members|unread)|users/(device-logins|links|sessions|users))',
    'src/(ops/prune|programs/(create-post|public-gate))',
    'test/(every-action|foreign-ids|late-bodies|lost-rights|restored|same-.*|store.*|user-limits)',
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
