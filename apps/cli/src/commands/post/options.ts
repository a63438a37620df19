import { type Command, Option } from 'commander';
import { usageError } from '../../runtime/errors.ts';
import { type HelpNotes, helpNotes } from '../../runtime/help.ts';

/** What every kind of post takes. */
export interface PostOptions {
  url?: string;
  keyFile?: string;
  keyStdin?: boolean;
  wait?: boolean;
  softFail?: boolean;
  skipWithoutKey?: boolean;
  timeout?: string;
  runMarker?: string;
  file?: string;
}

const EXITS =
  '0 done, 1 refused or failed, 2 wrong usage, 3 cannot reach the server,\n' +
  '4 not allowed (key unknown, expired or without the scope),\n' +
  '5 rate-limited: the message says for how long';

const SERVER_AND_KEY =
  'The server is --url, --profile or --local, else HUB_URL, else that of all commands: of --data-dir,\n' +
  'HUB_PROFILE, HUB_ADMIN_SOCKET or HUB_DATA_DIR, else where you have logged in, else on this machine.\n' +
  'The key is that of --key-file or --key-stdin, else HUB_API_KEY. It is never an\n' +
  'argument, for other users can see those.';

export function addPostOptions(command: Command): Command {
  return command
    .option('--url <url>', 'the server (default: HUB_URL, else the one that every command speaks to)')
    .addOption(new Option('--key-file <file>', 'read the key from a file instead of HUB_API_KEY').conflicts('keyStdin'))
    .option('--key-stdin', 'read the key from standard input')
    .option('--wait', 'if the key is rate-limited, wait until it is let in again, then post')
    .option('--soft-fail', 'if it cannot be posted, warn and exit 0, so that a build does not fail for a notice')
    .option('--skip-without-key', 'if there is no key, say so and exit 0, as for forks without secrets')
    .option('--timeout <seconds>', 'how long the server may take to answer (default: 30)')
    .option('--run-marker <word>', 'put a word such as build-4711 at the end, to find what a run has posted');
}

export function postHelp(command: Command, examples: HelpNotes['examples'], data: string): void {
  helpNotes(command, {
    prints: `The id and the web address of the post.\nWith --json: {"id", "url", ${data}}.`,
    more: { title: 'Server and key', text: SERVER_AND_KEY },
    exits: EXITS,
    examples,
  });
}

/** In milliseconds. */
export function readTimeoutMs(seconds: string | undefined): number {
  if (seconds === undefined) return 30_000;
  const milliseconds = Number(seconds) * 1000;
  if (/^\d+(\.\d+)?$/.test(seconds) && milliseconds > 0 && milliseconds <= 86_400_000) return milliseconds;
  throw usageError(`--timeout ${seconds} is no number of seconds.`, 'Write it as 30; at most 86400.');
}
