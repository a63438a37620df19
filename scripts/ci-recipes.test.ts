import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pemOf } from '@hub/testkit/in-process/certificates';
import { userWithToken } from '@hub/testkit/in-process/users';
import { runProgram } from '@hub/testkit/run-program';
import { created, errorResponse, startScriptedServer } from '@hub/testkit/scripted-server';
import { REPOSITORY, type ServerProcess, spawnServer } from '@hub/testkit/server-process';
import { testFolder } from '@hub/testkit/test-folder';

const read = (path: string) => readFileSync(join(REPOSITORY, path), 'utf8');
const page = read('docs/ci.md');

let hub: ServerProcess;
let url: string;
let hubId: string;
let key: string;
let keyId: string;
const folder = testFolder('hub-ci-');

beforeAll(async () => {
  hub = spawnServer();
  url = (await hub.serving()).url;
  hubId = (await hub.admin.createHub()).id;
  ({ key, id: keyId } = await hub.admin.issueKey({ hubId }));
  executable('hubctl', `exec '${process.execPath}' '${join(REPOSITORY, 'apps/cli/src/main.ts')}' "$@"`);
  writeFileSync(join(folder, '.hub-key'), key, { mode: 0o600 });
  writeFileSync(join(folder, 'latin.log'), Buffer.from('caf\xe9', 'latin1'));
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await hub[Symbol.asyncDispose]();
});

function executable(name: string, script: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
}

/** Returns the first code block under a heading of docs/ci.md or another page, for this server instead of the example. */
function recipe(heading: string, text = page): string {
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  const block = /^```\w*\n(.*?)^```$/ms.exec(section ?? '')?.[1];
  if (!block) throw new Error(`The page has no code under ${heading}`);
  return block.replaceAll('https://hub.example.org', url);
}

async function run(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const own = { PATH: `${folder}:${process.env.PATH}`, HOME: folder };
  const { stdout, stderr, code } = await runProgram(argv, { cwd: folder, env: { ...own, ...env } });
  return { exitCode: code, stdout, output: stdout + stderr };
}

/** Returns the newest item of the Hub. */
const newest = async () => (await hub.admin.request('GET /stream', { query: { hubId, limit: 1 } })).items[0];

interface Action {
  inputs: Record<string, { default?: string; required?: boolean }>;
  runs: { using: 'composite'; steps: [{ shell: 'bash'; run: string; env: Record<string, string> }] };
}
const actionIn = (path: string) => Bun.YAML.parse(read(`${path}/action.yml`)) as Action;
type Texts = Readonly<Record<string, string>>;

/** Runs the action like a runner: inputs in the context, and the step with bash as GitHub documents it. */
async function runAction(inputs: Texts, runner: Texts = {}, path = 'ops/ci') {
  const action = actionIn(path);
  const [step] = action.runs.steps;
  const inputOf = (name: string) => inputs[name] ?? action.inputs[name]?.default ?? '';
  const evaluated = (text: string) => text.replaceAll(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, name) => inputOf(name));
  const own = mkdtempSync(join(folder, 'run-'));
  const [outputs, script] = [join(own, 'outputs'), join(own, 'step.sh')];
  writeFileSync(outputs, '');
  writeFileSync(script, evaluated(step.run));
  expect([action.runs.using, step.shell]).toEqual(['composite', 'bash']);
  const result = await run(['bash', '--noprofile', '--norc', '-eo', 'pipefail', script], {
    ...{ CI: 'true', GITHUB_ACTIONS: 'true', GITHUB_ACTION_PATH: join(REPOSITORY, path), GITHUB_OUTPUT: outputs },
    ...runner,
    ...Object.fromEntries(Object.entries(step.env).map(([name, text]) => [name, evaluated(text)])),
  });
  return { ...result, outputs: readFileSync(outputs, 'utf8') };
}

describe('the GitHub Action', () => {
  test('that asks waits for the answer, and fails for the denying one and for a question that it cannot ask', async () => {
    const workspace = { admin: hub.admin, url };
    const { token } = await userWithToken(workspace, { name: 'Deploy Bot', hubIds: [hubId] });
    const bob = await userWithToken(workspace, { name: 'Bob Kahn', hubIds: [hubId] });
    const ask = (inputs: object) =>
      runAction({ url, token, hub: hubId, text: 'Deploy **$(id)**?', from: bob.id, ...inputs }, {}, 'ops/ci/ask');
    /** Answers the newest question once it is there. */
    const answer = async (choice: string) => {
      for (let item = await newest(); ; item = await newest()) {
        if (item?.kind !== 'message' || item.question?.state !== 'open') continue;
        await bob.request('PUT /messages/{messageId}/answer', { messageId: item.id, body: { choice } });
        return item;
      }
    };
    const [approved, { id, text }] = await Promise.all([ask({}), answer('yes')]);
    expect(approved).toMatchObject({ exitCode: 0, outputs: `id=${id}\nanswer=yes\nby=Bob Kahn\n` });
    expect(text).toBe('Deploy **$(id)**?');
    expect(approved.stdout.replace(`::add-mask::${token}`, '')).not.toContain(token);
    const [denied] = await Promise.all([ask({ from: '' }), answer('no')]);
    expect(denied).toMatchObject({ exitCode: 1, output: expect.stringContaining('Bob Kahn answered no.') });
    const problems: [inputs: object, message: string][] = [
      [{ hub: 'Nowhere' }, 'The account of the token has no Hub named Nowhere.'],
      [{ deny: 'never' }, 'deny must be one of the choices'],
      [{ choices: 'yes', deny: '' }, 'question.choices must have 2 to 10 labels'],
      [{ token: key }, 'The token is not a personal access token'],
      [{ 'timeout-minutes': '0.01' }, 'Nobody answered in time.'],
    ];
    const output = problems.map(([, message]) => expect.stringContaining(`::error title=Hub::${message}`));
    const ran = await Promise.all(problems.map(([inputs]) => ask(inputs)));
    expect(ran).toMatchObject(output.map((text) => ({ exitCode: 1, output: text })));
  });

  test('posts a message and sets its ID as an output, notes and to-dos', async () => {
    const text = 'Build **42** "failed" $(id) `id`\n\n- &amp; %0A';
    const { exitCode, outputs, stdout } = await runAction({ url, key, text });
    expect({ exitCode, outputs }).toEqual({ exitCode: 0, outputs: expect.stringMatching(/^id=msg_\w+\n$/) });
    expect(await newest()).toMatchObject({ kind: 'message', text });
    expect(stdout).toStartWith(`::add-mask::${key}\n`);
    expect(stdout.replace(`::add-mask::${key}`, '')).not.toContain(key);

    await runAction({ url: `${url}/api/public/v1/notes`, key, kind: 'note', title: 'Release', text: '1.2' });
    expect(await newest()).toMatchObject({ kind: 'note', title: 'Release', content: '1.2' });
    const todo = { title: 'Fix the build', 'due-date': '2027-01-31T17:00:00Z', priority: 'high' };
    await runAction({ url, key, kind: 'todo', ...todo });
    const dueDate = '2027-01-31T17:00:00.000Z';
    expect(await newest()).toMatchObject({ kind: 'todo', title: 'Fix the build', dueDate, priority: 'HIGH' });
  });

  test('attaches files, and leaves out what it cannot upload unless the post is required', async () => {
    const [log, missing] = [join(folder, 'latin.log'), join(folder, 'missing.png')];
    const files = `${log}\n\n  ${missing}\n`;
    const { exitCode, stdout } = await runAction({ url, key, files });
    expect(exitCode).toBe(0);
    const problem = `${missing} is not attached. The file ${missing} cannot be read (ENOENT).`;
    expect(stdout).toContain(`::warning title=Hub::${problem}`);
    expect(await newest()).toMatchObject({ text: null, files: [{ name: 'latin.log', size: 4 }] });
    expect((await runAction({ url, key, files, required: 'true' })).exitCode).toBe(1);
    const nothing = await runAction({ url, key, files: missing });
    expect(nothing.stdout).toContain('Not posted to the Hub. There is neither a text nor a file.');
  });

  test.each([
    ['the key is empty', { key: '' }, 'The key is empty. Is the secret available'],
    ['the key is not one', { key: 'hub_pat_1' }, 'The key is not an API key'],
    ['the text is empty', { text: ' ' }, 'The text is empty.'],
    ['the kind is unknown', { kind: 'task' }, 'The kind must be message, note or todo, not task.'],
    ['the address is not one', { url: 'hub.example.org' }, 'The url is not the address of a Hub server'],
    ['the server rejects it', { kind: 'todo', title: 'x', priority: 'now' }, '400: priority'],
    ['a message has a title', { title: 'Lost' }, 'A message has no title.'],
    ['a note has a due date', { kind: 'note', 'due-date': '2027-01-31' }, 'A note has no due-date.'],
    ['there are two contents', { file: 'build.log' }, 'Use either text or file.'],
    ['the file is missing', { text: '', file: 'missing.log' }, 'The file missing.log cannot be read (ENOENT).'],
    ['the file is not UTF-8', { text: '', file: 'latin.log' }, 'The file latin.log is not UTF-8.'],
    ['the blocks are not JSON', { text: '', blocks: 'x' }, 'The blocks are not a JSON list of blocks.'],
    ['the marker has a space', { marker: 'build 7' }, 'The marker must be a word'],
    ['truncate is unknown', { truncate: 'middle' }, 'Truncate must be head or tail, not middle.'],
    ['the text is long', { text: 'x'.repeat(59_999) }, '400: text has 59999 characters; at most 40000 are accepted. '],
    ['the key is unknown', { key: `hub_live_${'0'.repeat(40)}` }, '401: '],
  ])('warns if %s', async (_, inputs, problem) => {
    const stdout = expect.stringContaining(`::warning title=Hub::Not posted to the Hub. ${problem}`);
    expect(await runAction({ url, key, text: 'x', ...inputs })).toMatchObject({ exitCode: 0, stdout });
  });

  test('fails if the post is required, or may be', async () => {
    const stdout = expect.stringContaining('::error title=Hub::Not posted to the Hub. The text is empty.');
    expect(await runAction({ url, key, text: '', required: 'true' })).toMatchObject({ exitCode: 1, stdout });
    const unclear = await runAction({ url, key, text: 'x', required: 'yes' });
    expect([unclear.exitCode, unclear.stdout]).toEqual([1, expect.stringContaining('Required must be true or false')]);
  });

  const log = Array.from({ length: 6_000 }, (_, index) => `line ${index}`).join('\n');

  const logs = { file: 'build.log', text: `\`\`\`sh\n${log}\n\`\`\`` };

  // A code block of a text stays whole.
  test.each([
    ['head', 'file', /^line 0\nline 1\n[\s\S]*\nline \d+\n\n\*Truncated: the first 39,\d{3} of 58,889 characters\*\n/],
    ['tail', 'file', /^\*Truncated: the last 39,\d{3} of 58,889 characters\*\n\nline \d+\n[\s\S]*\nline 5999\n/],
    ['head', 'text', /\nline \d+\n```\n\n\*Truncated[^`]*$/],
    ['tail', 'text', /characters\*\n\n```sh\nline \d+\n[\s\S]*\nline 5999\n```\n\n$/],
  ] as const)(
    'posts the %s of a %s over the limit, with both sizes and the marker',
    async (truncate, source, expected) => {
      writeFileSync(join(folder, 'build.log'), `${log}\n`);
      const inputs = { url, key, truncate, marker: 'ci-7', [source]: logs[source] };
      expect(await runAction(inputs)).toMatchObject({ exitCode: 0 });
      const item = await newest();
      const [text = '', end] = (item?.kind === 'message' ? (item.text ?? '') : '').split('`run:ci-7`');
      expect([text, end]).toEqual([expect.stringMatching(expected), '']);
    },
  );

  test('posts blocks, with the marker as the last one', async () => {
    const blocks = [{ type: 'header', data: { text: 'Release', level: 2 } }];
    for (const given of [blocks, { blocks }]) {
      await runAction({ url, key, blocks: JSON.stringify(given), marker: 'ci-8' });
      expect(await newest()).toMatchObject({ blocks: [...blocks, { data: { text: '<code>run:ci-8</code>' } }] });
    }
  });

  const redirectTo = (location: string) => new Response(null, { status: 302, headers: { location } });
  const HOSTILE = 'msg_1\n::stop-commands::x\r##[add-path]/x\u001b[2J';
  test.each<[string, () => Response, string]>([
    ['id', () => Response.json({ data: { id: HOSTILE } }, { status: 201 }), '201 without an ID.'],
    ['message', () => errorResponse(400, HOSTILE), '400: msg_1 ::stop-commands::x'],
    ['redirect', () => redirectTo('::stop-commands::x'), 'redirects to'],
  ])('passes no command of a server to the runner or terminal: %s', async (_, respond, problem) => {
    await using server = startScriptedServer(respond);
    const runUnder = (GITHUB_ACTIONS: string) => runAction({ url: server.url, key, text: 'x' }, { GITHUB_ACTIONS });
    for (const { stdout, outputs } of await Promise.all(['true', 'false'].map(runUnder))) {
      expect(stdout).toContain(problem);
      expect(stdout).not.toMatch(/^(?!::add-mask::hub|::warning title=Hub::|Not posted)./m);
      expect(stdout).not.toMatch(/[^\P{C}\n]/u);
      expect(outputs).toBe('');
    }
  });

  test('says that nothing was sent to a server whose certificate is not trusted', async () => {
    const [cert, keyFile] = [Bun.file(pemOf('first', 'cert')), Bun.file(pemOf('first', 'key'))];
    using server = Bun.serve({ port: 0, tls: { cert, key: keyFile }, fetch: () => new Response() });
    const { stdout } = await runAction({ url: server.url.href, key, text: 'x' });
    expect(stdout).toMatch(/The certificate of the server is not trusted .*\. Nothing was sent\..*NODE_EXTRA_CA_CERTS/);
  });

  test('warns if the job has no Node, or one that is too old, and fails only if the post is required', async () => {
    const withoutNode = mkdtempSync(join(folder, 'bin-'));
    symlinkSync(Bun.which('bash') ?? '', join(withoutNode, 'bash'));
    const soft = await runAction({ url, key, text: 'x' }, { PATH: withoutNode });
    const warning = '::warning title=Hub::Not posted to the Hub. This job has no Node.\n';
    expect(soft).toMatchObject({ exitCode: 0, stdout: warning, outputs: '' });
    expect((await runAction({ url, key, text: 'x', required: 'true' }, { PATH: withoutNode })).exitCode).toBe(1);

    const old = join(folder, 'old.cjs');
    const version = `{ value: { ...process.versions, node: '16.20.2' } }`;
    writeFileSync(old, `Object.defineProperty(process, 'versions', ${version});`);
    const { exitCode, stdout } = await runAction({ url, key, text: 'x' }, { NODE_OPTIONS: `--require ${old}` });
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('This job has Node 16.20.2')]);
  });

  test('sends nothing twice when the connection is lost after the request', async () => {
    let requests = 0;
    const data = (socket: Bun.Socket) => {
      requests += 1;
      socket.terminate();
    };
    using server = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data } });
    const { exitCode, stdout } = await runAction({ url: `http://127.0.0.1:${server.port}`, key, text: 'x' });
    expect({ exitCode, requests }).toEqual({ exitCode: 0, requests: 1 });
    expect(stdout).toContain('The post may have arrived, so it is not sent again.');
  });

  test.each([
    ['a block', 403, '0', 'Blocked'],
    ['a limit, until a date', 429, new Date(0).toUTCString(), ''],
    ['a 503 that says that nothing was stored', 503, '0', 'The disk is full. Nothing was stored.'],
  ])('waits for as long as the server says, and then posts: %s', async (_, status, retryAfter, message) => {
    await using server = startScriptedServer((_, number) =>
      number === 2 ? created() : errorResponse(status, message, { 'retry-after': retryAfter }),
    );
    const { outputs } = await runAction({ url: server.url, key, text: 'x' });
    expect([outputs, server.requests.length]).toEqual(['id=msg_1\n', 2]);
  });

  test('repeats no request after the 503 of a proxy, since the server may have stored the post', async () => {
    const page = () => new Response('<h1>No</h1>', { status: 503, headers: { 'retry-after': '0' } });
    await using server = startScriptedServer(page);
    const { stdout } = await runAction({ url: server.url, key, text: 'x' });
    expect(server.requests).toHaveLength(1);
    expect(stdout).toContain('503: The response is not from a Hub server. Check the url.');
  });

  test('says where a redirect leads, and does not send the key there', async () => {
    await using server = startScriptedServer(({ path }) => redirectTo(`${url}${path}?token=secret`));
    const { outputs, stdout } = await runAction({ url: server.url, key, text: 'x' });
    expect(outputs).toBe('');
    expect(stdout).toContain(`redirects to ${url}/api/public/v1/messages. Set the url to where this begins.`);
    expect(stdout).not.toContain('secret');
  });
});

test('the GitLab job posts with the inputs of the documented include', async () => {
  type Job = { script: string[]; when: string; variables: Texts };
  const file = read('ops/ci/gitlab.yml');
  const [header, jobs] = Bun.YAML.parse(file) as [{ spec: { inputs: Record<string, { default?: unknown }> } }, object];
  const { include } = Bun.YAML.parse(recipe('GitLab CI/CD')) as { include: { inputs: Texts }[] };
  const given = include[0]?.inputs ?? {};
  expect(Object.keys(header.spec.inputs)).toEqual(expect.arrayContaining(Object.keys(given)));
  const text = JSON.stringify(jobs).replaceAll(/\$\[\[ inputs\.([\w-]+) \]\]/g, (_, name) =>
    JSON.stringify(String(given[name] ?? header.spec.inputs[name]?.default)).slice(1, -1),
  );
  const job = JSON.parse(text)['post-to-hub'] as Job;
  expect(job.when).toBe('on_failure');
  // A runner expands variables in variables, and then runs the script with sh.
  const known: Texts = {
    ...{ CI: 'true', GITLAB_CI: 'true', HUB_API_KEY: key, CI_PIPELINE_URL: 'https://gitlab.test/7' },
    ...{ CI_PROJECT_PATH: 'team/app', CI_COMMIT_REF_NAME: 'main' },
  };
  const expand = (value: string) => value.replaceAll(/\$(\w+)/g, (_, name) => known[name] ?? '');
  const variables = Object.entries(job.variables).map(([name, value]) => [name, expand(value)]);
  const env = { ...known, ...Object.fromEntries(variables) };
  const { exitCode, output } = await run(['sh', '-c', job.script.join('\n')], env);
  expect({ exitCode, output }).toEqual({ exitCode: 0, output: expect.stringMatching(/^Posted msg_/) });
  expect(await newest()).toMatchObject({ text: 'Pipeline of **team/app** failed on `main`: https://gitlab.test/7' });
});

describe('the recipe', () => {
  const posted = async (argv: string[], env: Record<string, string>, text: string, exitCode = 0) => {
    expect(await run(argv, env)).toMatchObject({ exitCode });
    expect(await newest()).toMatchObject({ kind: 'message', text, key: { id: keyId } });
  };

  test('for curl and that for the relay in docs/relay.md post', async () => {
    await posted(['sh', '-c', recipe('curl')], { HUB_URL: url, HUB_API_KEY: key }, 'Deploy finished');
    const script = recipe('Slack', read('docs/relay.md'));
    writeFileSync(join(folder, 'hub.key'), key);
    const text = '**Deploy** of [shop 4.17.3](https://ci.example.org/8812) finished :tada:';
    await posted(['sh', '-c', script], {}, text);
  });

  const ACTIONS = Object.entries({ 'GitHub Actions': 'ops/ci', Approvals: 'ops/ci/ask' });
  test.each(ACTIONS)('under %s uses inputs that %s has', (heading, path) => {
    const [step] = Bun.YAML.parse(recipe(heading)) as { uses: string; with: Record<string, string> }[];
    expect(step?.uses).toContain(`/${path}@`);
    const inputs = Object.keys(actionIn(path).inputs);
    expect(inputs).toEqual(expect.arrayContaining(Object.keys(step?.with ?? {})));
  });

  test('for Jenkins posts', async () => {
    const command = /sh '(hubctl .*)'/.exec(recipe('Jenkins'))?.[1] ?? '';
    const env = { HUB_URL: url, HUB_API_KEY: key, JOB_NAME: 'app', BUILD_URL: 'https://jenkins.test/7' };
    await posted(['sh', '-xe', '-c', command], env, '**app** failed: https://jenkins.test/7');
  });

  test('for Woodpecker posts', async () => {
    type Step = { commands: string[]; environment: { HUB_URL: string } };
    const { steps } = Bun.YAML.parse(recipe('Woodpecker')) as { steps: [Step] };
    const [{ commands, environment }] = steps;
    const ci = { CI_REPO: 'team/app', CI_COMMIT_BRANCH: 'main', CI_PIPELINE_URL: 'https://ci.test/7' };
    const env = { ...ci, ...environment, HUB_API_KEY: key };
    await posted(['sh', '-e', '-c', commands.join('\n')], env, '**team/app** failed on main: https://ci.test/7');
  });

  test('for cron posts the end of the output of a job that fails', async () => {
    executable('nightly', 'echo cannot copy; exit 1');
    const lines = recipe('cron').trim().split('\n');
    const env = Object.fromEntries(lines.filter((line) => /^\w+=/.test(line)).map((line) => line.split('=', 2)));
    // cron would only look in /usr/bin and /bin. Here, hubctl is in another folder.
    expect(env.PATH?.split(':')).toContain('/usr/local/bin');
    env.PATH = env.PATH?.replace('/usr/local/bin', folder);
    const command = lines.at(-1)?.split(' ').slice(5).join(' ') ?? '';
    await posted(['/bin/sh', '-c', command], env, expect.stringContaining('\ncannot copy\n'), 1);
  });

  test('for systemd posts the name of the unit', async () => {
    const unit = recipe('systemd');
    const command = /^ExecStart=(.*)$/m.exec(unit)?.[1] ?? '';
    mkdirSync(join(folder, 'credentials'), { recursive: true });
    writeFileSync(join(folder, 'credentials/hub-key'), key, { mode: 0o400 });
    const env = { HUB_URL: /HUB_URL=(.*)$/m.exec(unit)?.[1] ?? '', CREDENTIALS_DIRECTORY: join(folder, 'credentials') };
    const specified = command.replaceAll('%i', 'backup.service').replaceAll('%H', 'db-1');
    const text = '**backup.service** failed on db-1. See: journalctl --unit backup.service';
    await posted(['sh', '-c', specified], env, text);
  });

  test('for a Git hook posts what was pushed', async () => {
    const script = recipe('Git hook').replaceAll('/etc/hub-key', join(folder, '.hub-key'));
    const setUp = `
      git init -q --bare server.git
      git init -q -b main clone && cd clone
      git -c user.name=Ada -c user.email=ada@example.org commit -q --allow-empty -m 'Fix the build'
      git push -q ../server.git main:before`;
    expect((await run(['sh', '-ec', setUp])).exitCode).toBe(0);
    writeFileSync(join(folder, 'server.git/hooks/post-receive'), script, { mode: 0o755 });
    const { stdout } = await run(['git', '-C', 'clone', 'rev-parse', '--short', 'HEAD']);
    const push = (what: string) => ['git', '-C', 'clone', 'push', '-q', '../server.git', what];
    await posted(push('main:main'), {}, `**main** is now at ${stdout.trim()} Fix the build (Ada)`);
    await posted(push(':before'), {}, '**before** was deleted');
  });
});

test('the README posts in each of its ways, and shows the posts with hubctl tail', async () => {
  const clone = join(folder, 'hub');
  await using server = spawnServer({ dataDir: join(clone, 'data') });
  const address = (await server.serving()).url;
  const readme = read('README.md').replaceAll('http://127.0.0.1:3000', address);
  const blocks = [...readme.matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, code = '']) => code);
  const [, , firstPost = '', curl = '', response = '', withFile = '', hubctl = '', client = ''] = blocks;
  const inClone = (script: string) => ['sh', '-ec', `cd '${clone}'\n${script}`];
  executable('bun', '[ "$1 $2" = "run hubctl" ] && shift 2 && exec hubctl "$@"');
  executable('make', 'exit 3');
  writeFileSync(join(clone, 'build.log'), 'an error');
  writeFileSync(join(clone, 'chart.png'), 'a chart');
  const git = 'git -c user.name=Ada -c user.email=ada@example.org';
  await run(inClone(`git init -q && ${git} commit -qm Begin --allow-empty`));

  const argv = inClone(firstPost.replace('bun run hubctl tail', 'exec bun run hubctl tail'));
  const env = { PATH: `${folder}:${process.env.PATH}`, HOME: folder };
  const tail = Bun.spawn(argv, { env, stdin: 'ignore', stdout: 'pipe', stderr: 'ignore' });
  const reader = tail.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let output = '';
  const shows = async (text: string): Promise<void> => {
    while (!output.includes(text)) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`tail ended:\n${output}`);
      output += value;
    }
  };
  await shows(' Begin\n');
  const { success, data } = JSON.parse((await run(inClone(curl))).stdout);
  expect([success, Object.keys(data)]).toEqual([true, Object.keys(JSON.parse(response).data)]);
  await shows('Deploy finished in 42 s');
  const [upload = '', attach = ''] = withFile.trim().split('\n');
  const { id } = JSON.parse((await run(inClone(upload))).stdout).data;
  expect(JSON.parse((await run(inClone(attach.replace('file_…', id)))).stdout)).toMatchObject({ success: true });
  expect(await run(inClone(hubctl))).toMatchObject({ exitCode: 3 });
  await shows('The build failed');
  await shows('make deploy');
  const library = join(REPOSITORY, 'packages/client/src/index.ts');
  writeFileSync(join(clone, 'post.ts'), client.replace('@hub/client', library));
  const HUB_API_KEY = readFileSync(join(clone, 'ci.key'), 'utf8').trim();
  expect(await run([process.execPath, join(clone, 'post.ts')], { HUB_API_KEY })).toMatchObject({ exitCode: 0 });
  await shows('Renew the certificate');
  tail.kill();
  await tail.exited;
});
