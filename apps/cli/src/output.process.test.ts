import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { PROGRAMS } from '@hub/testkit/cli/programs';
import { startTailing } from '@hub/testkit/cli/tail';

let on: Awaited<ReturnType<typeof startTailing>>;
beforeAll(async () => {
  on = await startTailing();
  for (let count = 0; count < 20; count += 1) await on.write(`Number ${count} ${'x'.repeat(2_000)}`);
});
afterAll(() => on.stop());

/** Node opens /dev/null for a closed output, too, but just like one that the caller may have opened. */
const OUTPUTS = [
  ['on a full disk', '> /dev/full', 'the disk is full', ['Bun', 'Node']],
  ['closed', '>&-', 'standard output is closed', ['Bun']],
] as const;

describe.skipIf(process.platform !== 'linux').each(PROGRAMS)('hubctl on %s', (runtime, program) => {
  /** Runs hubctl with a redirected standard output. It is killed after 20 seconds. */
  async function hubctl(command: string, redirection: string, env: Record<string, string> = {}) {
    const line = `timeout -s KILL 20 ${(await program()).join(' ')} ${command} ${redirection}`;
    const bash = Bun.spawn(['bash', '--norc', '-c', line], {
      env: { PATH: process.env.PATH, HUB_ADMIN_SOCKET: on.hub.socketPath, ...env },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const [stderr, code] = await Promise.all([bash.stderr.text(), bash.exited]);
    return { stderr: stderr.trimEnd(), lines: stderr.trimEnd().split('\n').length, code };
  }

  for (const [name, redirection, reason, runtimes] of OUTPUTS) {
    if (!runtimes.some((each) => each === runtime)) continue;
    for (const command of ['hubs list', 'status --json', 'completion bash', 'hubs export Releases -', '--version']) {
      test(`exits with 1 and one line on standard error if standard output is ${name}: ${command}`, async () => {
        const ran = await hubctl(command, redirection);
        expect({ code: ran.code, lines: ran.lines }).toEqual({ code: 1, lines: 1 });
        expect(ran.stderr).toStartWith(`error: Could not write the output: ${reason}. `);
      });
    }

    for (const command of ['tail', 'tail --json --since all']) {
      test(`stops if standard output is ${name}: ${command}`, async () => {
        const ran = await hubctl(command, redirection);
        expect({ code: ran.code, lines: ran.lines }).toEqual({ code: 1, lines: 1 });
        expect(ran.stderr).toStartWith(`error: Could not write the output: ${reason}. `);
      });
    }
  }

  for (const json of ['', ' --json']) {
    test(`reports the ID of a key lost to a full disk, and the commands to replace and revoke it: keys issue${json}`, async () => {
      const issue = `keys issue --hub Releases --name 'lost on ${runtime}${json}' --scopes messages${json}`;
      const ran = await hubctl(issue, '> /dev/full');
      const [key] = (await on.hubctl(['keys', 'list', '--json'])).json<{ items: { id: string }[] }>().items;
      expect(ran.code).toBe(1);
      expect(ran.stderr).toContain(`The key ${key?.id} was issued, but could not be shown: the disk is full.`);
      for (const fix of ['replace', 'revoke']) expect(ran.stderr).toContain(`hubctl keys ${fix} ${key?.id}`);
      expect(ran.stderr).not.toContain('Could not write the output');
      expect(ran.stderr).not.toContain("You won't see it again");
    });
  }

  for (const _verb of ['rotate', 'replace']) {
  }

  test.skipIf(runtime === 'Node')('issues no key if standard output is closed', async () => {
    const ran = await hubctl('keys issue --hub Releases --name unmade --scopes messages', '>&-');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('standard output is closed. No key was issued.');
    expect((await on.hubctl(['keys', 'list', '--json'])).stdout).not.toContain('unmade');
  });

  test('accepts /dev/null as standard output', async () => {
    expect(await hubctl('hubs list', '> /dev/null')).toEqual({ stderr: '', lines: 1, code: 0 });
    // cron, systemd and many programs open it for reading and writing.
    expect(await hubctl('hubs list', '1<> /dev/null')).toEqual({ stderr: '', lines: 1, code: 0 });
    const env = { HUB_API_KEY: (await on.issue(`silent on ${runtime}`)).key };
    for (const redirection of ['> /dev/null', '1<> /dev/null', '> /dev/null 2>&1'])
      expect((await hubctl('post Hello', redirection, env)).code).toBe(0);
  });
});
