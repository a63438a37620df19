import { expect, test } from 'bun:test';
import { startLiveTrial } from '@hub/testkit/client/live-trial';
import type { LiveSocket } from './options.ts';

test('sends nothing to a closing socket that has not emitted close yet', async () => {
  const frames: string[] = [];
  const state = { readyState: 1, open: () => {} };
  const socket: LiveSocket = {
    get readyState() {
      return state.readyState;
    },
    send: (text) => void frames.push(text),
    close: () => {},
    addEventListener: (type, listener) => {
      if (type === 'open') state.open = () => listener({});
    },
  };
  await using trial = startLiveTrial({ createSocket: () => socket });
  trial.follow();
  state.open();
  expect(frames).toHaveLength(1);
  state.readyState = 2;
  trial.follow({}, 'hub_2');
  expect(frames).toHaveLength(1);
});
