import { expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBusyHub } from '@hub/testkit/client/busy-hub';
import { TestProxy } from '@hub/testkit/proxy';
import { seeded } from '@hub/testkit/random';
import { buildClient } from '../../build.ts';

test('the built library reconnects on Node, and sends the token in a header', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hub-live-'));
  await buildClient(folder);
  await using busy = await startBusyHub(seeded(7));
  while ((await busy.seq()) < 20) await busy.act();
  const proxy = new TestProxy(busy.port());
  const program = `
    import { connectLive } from '${join(folder, 'live.js')}';
    const live = connectLive({ baseUrl: '${proxy.url}', token: '${await busy.token()}' });
    const onEvent = ({ seq }) => {
      console.log(seq);
      if (seq === 40) live.close();
    };
    live.follow('${busy.hubId}', { after: 0, onEvent, onReset: () => console.log('reset') });
  `;
  // Needed before Node 22. It has no effect in later versions.
  const node = Bun.spawn(['node', '--experimental-websocket', '--input-type=module', '-e', program], {
    stderr: 'pipe',
  });
  let output = '';
  for await (const chunk of node.stdout.pipeThrough(new TextDecoderStream())) {
    const before = output;
    output += chunk;
    if (before.includes('20\n') || !output.includes('20\n')) continue;
    proxy.drop();
    while ((await busy.seq()) < 40) await busy.act();
  }
  // Node exits by itself, because the library leaves nothing open.
  expect({ code: await node.exited, errors: await node.stderr.text() }).toMatchObject({ code: 0 });
  expect(output.trim().split('\n').map(Number)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
  proxy.close();
  await rm(folder, { recursive: true });
}, 60_000);
