import { type Command, Option } from 'commander';
import { usageError } from '../../runtime/errors.ts';
import { type HelpNotes, helpNotes } from '../../runtime/help.ts';

/** Options for every kind of post. */
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
  '0 success, 1 error, 2 usage error, 3 server unreachable,\n' +
  '4 not allowed (the key is unknown or expired, or lacks the scope),\n' +
  '5 rate-limited (the message says for how long)';

const SERVER_AND_KEY =
  'The server comes from --url, --profile or --local, else HUB_URL, else as for all commands: --data-dir,\n' +
  'HUB_PROFILE, HUB_ADMIN_SOCKET or HUB_DATA_DIR, else your current login, else this machine.\n' +
  'The key comes from --key-file or --key-stdin, else HUB_API_KEY. It is never an argument,\n' +
  'since other users can see arguments.';

export function addPostOptions(command: Command): Command {
  return command
    .option('--url <url>', 'Post to this server (default: HUB_URL, else the current server)')
    .addOption(new Option('--key-file <file>', 'Read the key from a file instead of HUB_API_KEY').conflicts('keyStdin'))
    .option('--key-stdin', 'Read the key from standard input')
    .option('--wait', 'Wait and retry if the key is rate-limited')
    .option('--soft-fail', 'Warn and exit 0 if posting fails, so that the post never fails a build')
    .option('--skip-without-key', 'Skip the post and exit 0 if there is no key, such as in forks without secrets')
    .option('--timeout <seconds>', 'Set the request timeout in seconds (default: 30)')
    .option('--run-marker <word>', "Append a word such as build-4711, so that you can find a run's posts later");
}

export function postHelp(command: Command, examples: HelpNotes['examples'], data: string): void {
  helpNotes(command, {
    prints: `The ID and URL of the post.\nWith --json: {"id", "url", ${data}}.`,
    more: { title: 'Server and key', text: SERVER_AND_KEY },
    exits: EXITS,
    examples,
  });
}

/** Parses --timeout. Returns milliseconds. */
export function readTimeoutMs(seconds: string | undefined): number {
  if (seconds === undefined) return 30_000;
  const milliseconds = Number(seconds) * 1000;
  if (/^\d+(\.\d+)?$/.test(seconds) && milliseconds > 0 && milliseconds <= 86_400_000) return milliseconds;
  throw usageError(`Invalid --timeout "${seconds}".`, 'Use a number of seconds such as 30, up to 86400.');
}
