/**
 * `bun run bench:web`: measures the speed of the pages in Chromium, with a server in a separate process on the same
 * machine. `--quick` takes shorter measurements.
 */
import { cpus } from 'node:os';
import { startBrowser } from '@hub/testkit/browser/browser';
import { measureFirstLoad, measureLargestPaint } from './first-load.ts';
import { measureLivePaint } from './live-paint.ts';
import { measurePageKeys } from './page-keys.ts';
import { measureScroll } from './scroll.ts';
import { startServer } from './server.ts';
import { measureHubSwitch } from './switch-hub.ts';
import { fillHub, makeWorkspace } from './workspace.ts';

const isQuick = Bun.argv.includes('--quick');
const items = isQuick ? 1_000 : 10_000;
const seconds = isQuick ? 5 : 20;

console.log(`${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, Bun ${Bun.version}\n`);
const browser = await startBrowser();
try {
  for await (const line of pages()) console.log(line);
} finally {
  await browser.close();
}

async function* pages(): AsyncGenerator<string> {
  await using server = await startServer();
  const workspace = await makeWorkspace(server);
  await fillHub(workspace, items);
  const all = [
    measureFirstLoad,
    measureLargestPaint,
    measureHubSwitch,
    measureLivePaint,
    measureScroll,
    measurePageKeys,
  ];
  for (const measure of all) {
    yield* await measure({ browser, server, workspace, items, seconds });
  }
}
