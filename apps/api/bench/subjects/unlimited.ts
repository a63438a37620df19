/**
 * The product's app and store with a limiter whose clock runs 10,000 times as fast, so that ten keys can carry the
 * load: `bun unlimited.ts DATA_DIR`. Everything else is unchanged, so that only the number of keys makes a difference.
 */

import { createApp } from '../../src/app.ts';
import { createDeps } from '../../src/create-deps.ts';
import { beginRequest } from '../../src/http/request-context.ts';
import { argon2id } from '../../src/platform/adapters/crypto.ts';
import { type SearchThread, startSearchThread } from '../../src/storage/search/search-thread.ts';
import { openStore } from '../../src/storage/sqlite/open-store.ts';
import { KeyLimiter } from '../../src/workspace/keys/key-usage.ts';
import { clock, log, random } from '../ports.ts';

const dataDir = Bun.argv[2] ?? '.';
let posts = 0;
let flushes = 0;
let search: SearchThread | undefined;
const deps = await createDeps({
  clock,
  random,
  passwords: argon2id,
  log,
  openStore: (newId, onCommit) =>
    openStore({
      dataDir,
      clock,
      newId,
      onCommit: (report) => {
        onCommit(report);
        search?.itemsCommitted();
      },
      onBatch: (report) => {
        posts += report.writes;
        flushes += 1;
      },
    }),
  startSearch: () => {
    search = startSearchThread({ dataDir, clock, log });
    return search;
  },
  push: null,
  web: null,
  server: {
    version: 'bench',
    baseUrl: () => '',
    plainHttpHost: null,
    dataDir,
    startedAt: Date.now(),
    startedAtMonotonic: 0,
  },
});
setInterval(() => void deps.usage.flush(deps.store), 5_000);
const fast = { ...clock, monotonic: () => clock.monotonic() * 10_000 };
const app = createApp({ ...deps, limiter: new KeyLimiter(fast) });
const server = Bun.serve({
  port: 0,
  maxRequestBodySize: Number.MAX_SAFE_INTEGER,
  fetch: (request, self) => {
    if (request.url.endsWith('/stats')) return Response.json({ posts, flushes });
    const address = self.requestIP(request)?.address ?? '';
    beginRequest(request, { transport: 'public', address, origin: '', startedAt: clock.monotonic() });
    return app.fetch(request);
  },
});
console.log(JSON.stringify({ port: server.port }));
