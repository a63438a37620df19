import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IssuedKey } from '@hub/contract';
import { ALL_SCOPES } from '@hub/testkit';
import { exerciseHubctlUsers, type HubctlExercise } from './drive-hubctl-users.ts';
import { hubctl, type Run } from './hubctl-process.ts';

export async function exerciseHubctl(exercise: HubctlExercise): Promise<void> {
  mkdirSync(exercise.home, { recursive: true });
  mkdirSync(exercise.secretStore, { recursive: true });
  const run = hubctl(exercise);
  await driveKeyCommands(exercise, run);
  await drivePosts(exercise, run);
  await exerciseHubctlUsers(exercise, run);
  await exerciseMistakes(exercise, run);
}

async function driveKeyCommands({ hunt, hubId, secretStore }: HubctlExercise, run: Run): Promise<void> {
  const issue = (name: string) => ['keys', 'issue', '--hub', hubId, '--name', name, '--scopes', 'messages'];
  const printsSecret = true as const;
  const issued = JSON.parse(await run([...issue('as JSON'), '--json'], 0, { printsSecret })) as IssuedKey;
  hunt.knowIssued('hubctl keys issue --json', issued);
  hunt.know('hubctl keys issue', (await run(issue('plain'), 0, { printsSecret })).trim());
  const out = join(secretStore, 'issued');
  await run([...issue('to a file'), '--out', out], 0);
  hunt.know('hubctl keys issue --out', readFileSync(out, 'utf8').trim());
  await run([...issue('to a file again'), '--out', out], 2);
  const rotated = JSON.parse(await run(['keys', 'rotate', issued.id, '--json'], 0, { printsSecret })) as IssuedKey;
  hunt.knowIssued('hubctl keys rotate', rotated);
  hunt.know('hubctl keys replace', (await run(['keys', 'replace', rotated.id], 0, { printsSecret })).trim());
  await run(['keys', 'rotate', issued.id], 1);
  for (const extra of [[], ['--json']]) {
    await run(['keys', 'list', ...extra], 0);
    await run(['keys', 'show', issued.id, ...extra], 0);
    await run(['keys', 'revoke', issued.id, '--yes', ...extra], 0);
  }
}

async function drivePosts({ hunt, admin, hubId, url, secretStore }: HubctlExercise, run: Run): Promise<void> {
  const keyInFile = async (name: string, change = (key: string) => key, scopes = ALL_SCOPES) => {
    const { key } = await admin.issueKey(hubId, name, scopes);
    const file = join(secretStore, name.replaceAll(' ', '-'));
    writeFileSync(file, change(hunt.know(name, key)));
    return { file, key };
  };
  const right = await keyInFile('a key in a file');
  for (const extra of [[], ['--json'], ['--url', url]])
    await run(['post', 'Hello', '--key-file', right.file, ...extra], 0);
  await run(['post', 'note', 'Hello', '--key-file', right.file], 0);
  await run(['post', 'Hello', '--key-stdin'], 0, { stdin: `${right.key}\n` });
  await run(['post', 'Hello'], 0, { env: { HUB_API_KEY: right.key }, shown: 'environment' });

  const cut = await keyInFile('a key cut short', (key) => key.slice(0, -3));
  const lacking = await keyInFile('a key without the scope', (key) => key, ['todos:create']);
  const unknown = await keyInFile('a key with words around it', (key) => `HUB_API_KEY=${key}\n`);
  for (const extra of [[], ['--json'], ['--soft-fail']]) {
    for (const { file } of [cut, lacking, unknown]) {
      await run(['post', 'Hello', '--key-file', file, ...extra], extra[0] === '--soft-fail' ? 0 : 4);
    }
    const absent = ['--url', 'http://127.0.0.1:9', ...extra];
    await run(['post', 'Hello', '--key-file', right.file, ...absent], extra[0] === '--soft-fail' ? 0 : 3);
  }
  await run(['post', '--key-stdin'], 2, { stdin: right.key });
  const cutInEnvironment = { env: { HUB_API_KEY: cut.key.slice(0, -1) }, shown: 'environment' } as const;
  await run(['post', 'Hello'], 4, cutInEnvironment);
}

/** Passes keys where other users see them and the shell records them. `hubctl` must at least not echo them. */
async function exerciseMistakes({ hunt, admin, hubId }: HubctlExercise, run: Run): Promise<void> {
  const mistakes: [string, (key: string) => string[]][] = [
    ['as the text', (key) => ['post', key]],
    ['behind the text', (key) => ['post', 'Hello', key]],
    ['as an option', (key) => ['post', 'Hello', '--key', key]],
    ['as the value of an option', (key) => ['post', 'Hello', `--key-file=${key}`]],
    ['as the name of a file', (key) => ['post', '--file', key]],
    ['in an address', (key) => ['post', 'Hello', '--url', `https://hub.example.com/?key=${key}`]],
    ['as a password in an address', (key) => ['post', 'Hello', '--url', `https://ci:${key}@hub.example.com`]],
    ['as a command', (key) => [key]],
    ['as a key to show', (key) => ['keys', 'show', key]],
    ['as a key to revoke', (key) => ['keys', 'revoke', key, '--yes', '--json']],
    ['cut short', (key) => ['post', 'Hello', '--key', key.slice(0, 35)]],
  ];
  for (const [name, argv] of mistakes) {
    const { key } = await admin.issueKey(hubId, name);
    await run(argv(hunt.know(`a key ${name}`, key)), 2, { shown: 'arguments' });
  }
  const { key } = await admin.issueKey(hubId, 'as the address');
  hunt.know('a key as the address', key);
  await run(['post', 'Hello'], 2, { env: { HUB_URL: key, HUB_API_KEY: key }, shown: 'environment' });
}
