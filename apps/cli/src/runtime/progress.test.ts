import { expect, spyOn, test } from 'bun:test';
import { temporaryFolder } from '@hub/testkit/cli/files';
import { sharedHubctl } from '@hub/testkit/cli/hubctl-on-hub';

const on = sharedHubctl();

/** Runs hubctl with a server that pauses in the middle of its response until standard error contains the text. */
async function runUntil(text: RegExp, argv: string[], options: { columns?: number; env?: Record<string, string> }) {
  const output = Promise.withResolvers<void>();
  let stderr = '';
  const slow = (body: ReadableStream<Uint8Array>) => {
    const reader = body.getReader();
    let chunks = 0;
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (chunks === 1) await output.promise;
        chunks += 1;
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    });
  };
  return await on.hubctl(argv, {
    ...options,
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      const isLong = /\/(backups|export)$/.test(url) && response.body !== null;
      return isLong && response.body ? new Response(slow(response.body), response) : response;
    },
    onWrite: (name, written) => {
      if (name !== 'stderr') return;
      stderr += written;
      if (text.test(stderr)) output.resolve();
    },
  });
}

test('a long backup shows how much has arrived, in a line that is gone at the end', async () => {
  using folder = temporaryFolder();
  const received = /Receiving the backup: [\d.]+ KiB of [\d.]+ [KM]iB \(\d+%\) …/;
  const ran = await runUntil(received, ['backup', folder.file('hub.db')], { columns: 80 });
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Backed up/) });
  expect(ran.stderr).toMatch(received);
  expect(ran.stderr).toContain('\r\u001b[2KVerifying the backup …');
  expect(ran.stderr).toEndWith('\r\u001b[2K');
});

test('nothing is drawn if standard error is not a terminal, or cannot redraw a line', async () => {
  using folder = temporaryFolder();
  const timer = spyOn(globalThis, 'setInterval');
  const run = (file: string, options: { columns?: number; env?: Record<string, string> }) =>
    on.hubctl(['hubs', 'export', 'Releases', folder.file(file)], options);
  expect(await run('1.json', {})).toMatchObject({ code: 0, stderr: '' });
  expect(await run('2.json', { columns: 80, env: { TERM: 'dumb' } })).toMatchObject({ code: 0, stderr: '' });
  expect(timer).not.toHaveBeenCalled();
  expect(await run('3.json', { columns: 80 })).toMatchObject({ code: 0, stderr: '' });
  expect(timer).toHaveBeenCalledTimes(1);
  timer.mockRestore();
});
