import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { resolve } from 'node:path';
import { startTailing } from './testing/tail.ts';

const MAIN = resolve(import.meta.dir, 'main.ts');

let on: Awaited<ReturnType<typeof startTailing>>;
beforeAll(async () => {
  on = await startTailing();
  for (let count = 0; count < 20; count += 1) await on.write(`Number ${count} ${'x'.repeat(2_000)}`);
});
afterAll(() => on.stop());

/** Runs hubctl with a redirected standard output. It is killed after 20 seconds. */
async function hubctl(command: string, redirection: string) {
  const line = `timeout -s KILL 20 ${process.execPath} ${MAIN} ${command} ${redirection}`;
  const bash = Bun.spawn(['bash', '--norc', '-c', line], {
    env: { PATH: process.env.PATH, HUB_ADMIN_SOCKET: on.hub.socketPath },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stderr, code] = await Promise.all([bash.stderr.text(), bash.exited]);
  return { stderr: stderr.trimEnd(), lines: stderr.trimEnd().split('\n').length, code };
}

const OUTPUTS = [
  ['on a full disk', '> /dev/full', 'the disk is full'],
  ['closed', '>&-', 'standard output is closed'],
] as const;

describe.skipIf(process.platform !== 'linux')('hubctl', () => {
  for (const [name, redirection, reason] of OUTPUTS) {
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
      const issue = `keys issue --hub Releases --name 'lost${json}' --scopes messages${json}`;
      const ran = await hubctl(issue, '> /dev/full');
      const [key] = (await on.hubctl(['keys', 'list', '--json'])).json<{ items: { id: string }[] }>().items;
      expect(ran.code).toBe(1);
      expect(ran.stderr).toContain(`The key ${key?.id} was issued, but could not be shown: the disk is full.`);
      for (const fix of ['replace', 'revoke']) expect(ran.stderr).toContain(`hubctl keys ${fix} ${key?.id}`);
      expect(ran.stderr).not.toContain('Could not write the output');
      expect(ran.stderr).not.toContain("You won't see it again");
    });
  }

  for (const verb of ['rotate', 'replace']) {
    test(`reports the ID of a key lost to a full disk: keys ${verb}`, async () => {
      const { id } = await on.issue(`to ${verb}`);
      const ran = await hubctl(`keys ${verb} ${id} --json`, '> /dev/full');
      const { successorId } = (await on.hubctl(['keys', 'show', id, '--json'])).json();
      expect(ran.code).toBe(1);
      expect(ran.stderr).toContain(`The key ${successorId} was issued, but could not be shown`);
    });
  }

  test('issues no key if standard output is closed', async () => {
    const ran = await hubctl('keys issue --hub Releases --name unmade --scopes messages', '>&-');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('standard output is closed. No key was issued.');
    expect((await on.hubctl(['keys', 'list', '--json'])).stdout).not.toContain('unmade');
  });

  test('accepts /dev/null as standard output', async () => {
    expect(await hubctl('hubs list', '> /dev/null')).toEqual({ stderr: '', lines: 1, code: 0 });
    expect(await hubctl('hubs list', '1<> /dev/null')).toEqual({ stderr: '', lines: 1, code: 0 });
  });
});
