/** A preload that replaces the server's clock with the one in `manual-clock.ts`. */
import { join } from 'node:path';

const MANUAL_CLOCK = JSON.stringify(join(import.meta.dir, 'manual-clock.ts'));

Bun.plugin({
  name: 'a manual clock',
  setup: (build) => {
    build.onLoad({ filter: /[\\/]adapters[\\/]system-clock\.ts$/ }, () => ({
      contents: `export { manualClock as systemClock } from ${MANUAL_CLOCK};`,
      loader: 'ts',
    }));
  },
});
