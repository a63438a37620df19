/** A preload that replaces the server's clock with the one in `hand-clock.ts`. */
import { join } from 'node:path';

const HAND_CLOCK = JSON.stringify(join(import.meta.dir, 'hand-clock.ts'));

Bun.plugin({
  name: 'a clock that is moved by hand',
  setup: (build) => {
    build.onLoad({ filter: /[\\/]adapters[\\/]system-clock\.ts$/ }, () => ({
      contents: `export { handClock as systemClock } from ${HAND_CLOCK};`,
      loader: 'ts',
    }));
  },
});
