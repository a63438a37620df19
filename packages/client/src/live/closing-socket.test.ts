import { expect, test } from 'bun:test';
import { startLiveTrial } from '../testing/live-trial.ts';
import type { LiveSocket } from './options.ts';

test('says nothing to a socket that is closing, and has not said so yet', async () => {
  const sent: string[] = [];
  const closing = { readyState: 1, isReceived: () => {} };
  const socket: LiveSocket = {
    get readyState() {
      return closing.readyState;
    },
    send: (text) => void sent.push(text),
    close: () => {},
    addEventListener: (type, listener) => {
      if (type === 'open') closing.isReceived = () => listener({});
    },
  };
  await using trial = startLiveTrial({ createSocket: () => socket });
  trial.follow();
  closing.isReceived();
  expect(sent).toHaveLength(1);
  closing.readyState = 2;
  trial.follow({}, 'hub_2');
  expect(sent).toHaveLength(1);
});
