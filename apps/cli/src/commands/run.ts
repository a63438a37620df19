import { Option } from '@commander-js/extra-typings';
import { LIMITS } from '@hub/contract/limits';
import type { Command } from 'commander';
import type { ChildEnd } from '../runtime/child-process.ts';
import type { Cli } from '../runtime/cli.ts';
import { addCommand, withoutSecrets } from '../runtime/command-line.ts';
import { asCliError, usageError } from '../runtime/errors.ts';
import { showDuration } from '../runtime/format.ts';
import { plainLine } from '../runtime/terminal-text.ts';
import { fencedCode } from './post/long-text.ts';
import { addServerOptions, type PostOptions, SERVER_AND_KEY } from './post/options.ts';
import { type Post, requirePostOptions, sendPrepared } from './post/send-post.ts';

export function addRunCommand(program: Command, cli: Cli): void {
  const command = addCommand(program, 'run', {
    about: 'Run a command and post how it ended',
    prints:
      'The output of the command, unchanged while it runs. hubctl only adds warnings on standard error.\n' +
      'The post has the name, the exit code, the duration and the last 20 lines of the output. --json cannot be used.',
    more: {
      title: 'Server and key',
      text:
        `${SERVER_AND_KEY.replace(' or --key-stdin', '')}\n` +
        'If the result cannot be posted, hubctl warns, and the exit code is still that of the command.',
    },
    exits:
      'Those of the command; a signal that ends it ends hubctl, too.\n' +
      '126 or 127 if it cannot be started, 2 usage error (nothing was run)',
    examples: [
      'hubctl run -- make deploy',
      'hubctl run --on failure --todo --name "Nightly backup" -- /usr/local/bin/backup.sh',
    ],
  })
    .argument('[command...]', 'The command to run with its arguments, after --')
    .option('--name <name>', 'Name it in the post (default: its first words, without options, which may be secrets)')
    .addOption(new Option('--on <result>', 'Post on failure only, or always').choices(['failure', 'always']))
    .option('--todo', 'Open a to-do instead of posting a message if it fails')
    .option('--outbox <dir>', 'Keep the post here if it cannot be sent now, and send it later (default: HUB_OUTBOX)')
    .option('--timeout <seconds>', 'Set the time for posting, in seconds or as 2m (default: 30)');
  addServerOptions(command).action(async (argv, options) => {
    const { deps } = cli;
    if (cli.json) throw usageError('--json cannot be combined with run: standard output is that of the command.');
    if (!argv[0]?.trim()) throw usageError('Specify a command: hubctl run -- COMMAND');
    const name = plainLine(options.name ?? nameOf(argv)).trim();
    if (name === '') throw usageError('The name is empty.', 'Set a value for --name, or remove it.');
    await requirePostOptions(cli, options);
    const log = new LastLines();
    const began = deps.clock.now();
    const end = await deps.runChild(argv, (chunk) => log.add(chunk));
    cli.exitCode = end.code;
    if (end.problem !== undefined) cli.output.warn(`Cannot run ${argv[0]}: ${end.problem}.`);
    const hasFailed = end.code !== 0;
    if (!hasFailed && options.on === 'failure') return;
    const how = resultOf(end, showDuration(Math.max(0, deps.clock.now() - began)));
    const result: Result = { name, how, log: log.text };
    const post = hasFailed && options.todo ? todoOf(result) : messageOf(result);
    await postResult(cli, post, options);
  });
}

/** Posts the result. Nothing that fails from now on changes how the command ended. */
async function postResult(cli: Cli, post: Post<object>, options: PostOptions): Promise<void> {
  const whereFrom = options.keyFile === undefined ? { skipWithoutKey: true as const } : {};
  const posting = sendPrepared(cli, { ...options, softFail: true, ...whereFrom }, post).catch((error) =>
    cli.output.warn(`Not posted: ${asCliError(error).message}`),
  );
  let stopListening = (): void => {};
  const stopped = new Promise<void>((resolve) => {
    stopListening = cli.deps.onStop(() => {
      cli.output.warn('Not posted: interrupted.');
      resolve();
    });
  });
  await Promise.race([posting, stopped]);
  stopListening();
}

interface Result {
  name: string;
  how: string;
  log: string;
}

function resultOf({ code, signal, problem }: ChildEnd, duration: string): string {
  if (problem !== undefined) return `could not be started: ${problem}`;
  const end = signal !== null ? `was ended by ${signal}` : code === 0 ? 'succeeded' : `failed with exit code ${code}`;
  return `${end} after ${duration}`;
}

function messageOf({ name, how, log }: Result): Post<object> {
  const text = `\`${name.replaceAll('`', "'")}\` ${how}.${blockOf(log)}`;
  return { kind: 'message', read: async () => ({ text }), ...QUIETLY };
}

function todoOf({ name, how, log }: Result): Post<object> {
  const room = LIMITS.titleCodePoints - how.length - 1;
  const title = `${[...name].slice(0, room).join('')} ${how}`;
  const content = blockOf(log).trim();
  const fields = { title, ...(content !== '' && { content }) };
  return { kind: 'todo', read: async () => fields, ...QUIETLY };
}

/** A command's standard output is its own, so that the result is only named to a user at a terminal. */
const QUIETLY = { attachments: async () => [], isQuiet: true };

const blockOf = (log: string) => (log === '' ? '' : `\n\n${fencedCode(log, 'text')}`);

const MAX_NAME = 80;

/** Returns the first words of a command line. Options, assignments and what follows them may contain passwords. */
function nameOf([command = '', ...args]: readonly string[]): string {
  const end = args.findIndex((word) => /^-|[=:@\s]/.test(word) || word === '');
  const words = [command.replace(/^.*\//, ''), ...args.slice(0, end < 0 ? undefined : end)].join(' ');
  return withoutSecrets([...words].slice(0, MAX_NAME).join(''));
}

const MAX_LINES = 20;
const MAX_LINE = 1_000;
/** Enough for the lines above, however many bytes their characters have. */
const MAX_BYTES = MAX_LINES * MAX_LINE * 4;

/** Keeps the end of an output. */
class LastLines {
  readonly #chunks: Uint8Array[] = [];
  #size = 0;

  add(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    for (let [first] = this.#chunks; first && this.#size - first.length >= MAX_BYTES; [first] = this.#chunks) {
      this.#size -= first.length;
      this.#chunks.shift();
    }
  }

  /** The last lines as a terminal shows them: without colors, and only the last state of a progress bar. */
  get text(): string {
    const lines = Buffer.concat(this.#chunks).toString().trimEnd().split(/\r?\n/).slice(-MAX_LINES);
    return lines
      .map((line) => [...plainLine(line.replace(/^.*\r(?=.)/s, ''))])
      .map((line) => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE - 1).join('')}…` : line.join('')))
      .map(withoutSecrets)
      .join('\n');
  }
}
