import { Command, CommanderError } from 'commander';
import { addBackupCommand } from './commands/backup/backup.ts';
import { addRestoreCommand } from './commands/backup/restore.ts';
import { addCompletionCommand } from './commands/completion/command.ts';
import { addDoctor } from './commands/doctor/doctor.ts';
import { addHubCommands } from './commands/hubs/group.ts';
import { addKeyCommands } from './commands/keys/group.ts';
import { addPostCommands } from './commands/post/group.ts';
import { addProfileCommands } from './commands/profiles/group.ts';
import { addSetupLink } from './commands/setup-link.ts';
import { addStatusCommand } from './commands/status.ts';
import { addTailCommand } from './commands/tail/command.ts';
import { addUserCommands } from './commands/users/group.ts';
import { Cli, type GlobalOptions } from './runtime/cli.ts';
import { expandPost, hasFlag, rejectBlankValues, rejectSecretArguments } from './runtime/command-line.ts';
import type { Deps } from './runtime/deps.ts';
import { asCliError, usageError } from './runtime/errors.ts';
import { EXIT, type ExitCode } from './runtime/exit-codes.ts';
import { commandPath, namedCommand } from './runtime/help.ts';

/** Runs one command line (without the name of the program) and returns the exit code. It never exits by itself. */
export async function run(argv: readonly string[], deps: Deps): Promise<ExitCode> {
  const cli = new Cli(deps, { json: hasFlag(argv, '--json'), color: !hasFlag(argv, '--no-color') });
  const shown = { text: '' };
  const program = buildProgram(cli, shown);
  let words = [...argv];
  try {
    if (argv[0] === COMPLETE) return await complete(cli, program, argv.slice(1));
    rejectSecretArguments(argv);
    words = expandPost(argv, program);
    await program.parseAsync(words, { from: 'user' });
    return EXIT.done;
  } catch (error) {
    if (error instanceof CommanderError) return endOfParsing(cli, program, words, error, shown.text);
    const failure = asCliError(error);
    cli.output.failure(failure);
    return failure.exitCode;
  }
}

/** The word by which the shells' scripts of `hubctl completion` ask what may come next; no command for people. */
const COMPLETE = '__complete';

async function complete(cli: Cli, program: Command, argv: readonly string[]): Promise<ExitCode> {
  await (await import('./commands/completion/reply.ts')).replyToShell(cli, program, argv);
  return EXIT.done;
}

/** The whole tree of commands. `shown` collects help and version when they belong into a JSON document. */
export function buildProgram(cli: Cli, shown = { text: '' }): Command {
  const { stdout, stderr, version } = cli.deps;
  const program = new Command('hubctl')
    .description('Administers a Hub server and posts into it.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => {
        if (cli.json) shown.text += text;
        else cli.output.raw(text);
      },
      writeErr: (text) => {
        if (!cli.json) cli.output.rawNote(text);
      },
      outputError: () => {},
      getOutHelpWidth: () => stdout.columns ?? 100,
      getErrHelpWidth: () => stderr.columns ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .configureHelp({ showGlobalOptions: true, minWidthToWrap: 24 })
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .version(version, '-V, --version', 'print the version')
    .option('--json', 'print one JSON document on standard output, also for errors')
    .option('--no-color', 'print without colours (so does NO_COLOR)')
    .option('--profile <profile>', 'the server of a profile (default: HUB_PROFILE, else where you have logged in)')
    .option('--local', 'the server on this machine, although you have logged in elsewhere')
    .option(
      '--data-dir <dir>',
      'the data directory of the server on this machine (default: HUB_DATA_DIR, else ./data)',
    );
  program.hook('preAction', (_, command) => {
    const options = program.opts<Partial<GlobalOptions> & { color: boolean }>();
    cli.configure({ ...options, json: options.json ?? false });
    rejectBlankValues(program);
    // For the run of a build a variable that is not set is as soft a failure as others: `post` looks itself.
    if (!command.getOptionValue('softFail')) rejectBlankValues(command);
  });
  addPostCommands(program, cli);
  addTailCommand(program, cli);
  addHubCommands(program, cli);
  addUserCommands(program, cli);
  addKeyCommands(program, cli);
  addProfileCommands(program, cli);
  addBackupCommand(program, cli);
  addRestoreCommand(program, cli);
  addStatusCommand(program, cli);
  addDoctor(program, cli);
  addSetupLink(program, cli);
  addCompletionCommand(program, cli);
  return program;
}

/** Help, version and wrong usage all arrive as an error of the parser. */
function endOfParsing(
  cli: Cli,
  program: Command,
  words: readonly string[],
  error: CommanderError,
  text: string,
): ExitCode {
  const hasResponse = error.exitCode === 0;
  if (hasResponse) {
    const isVersion = error.code === 'commander.version';
    if (cli.json) cli.output.document(isVersion ? { version: text.trim() } : { help: text });
    return EXIT.done;
  }
  const command = namedCommand(program, words);
  const path = commandPath(command);
  if (error.code === 'commander.help') {
    const verbs = command.commands.map((verb) => verb.name()).join(', ');
    if (cli.json) cli.output.failure(usageError(`${path} needs a command: ${verbs}`));
    return EXIT.usage;
  }
  const message = usageMessage(withoutValues(error.message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' ')));
  cli.output.failure(usageError(message, [...remedies(error.code, path), `See: ${path} --help`].join('\n')));
  return EXIT.usage;
}

/** What the parser says of a word that is none of several. */
function usageMessage(message: string): string {
  return message
    .replace(/^command-argument value '(.*)' is invalid for argument '(.*)'\./, '"$1" is no $2.')
    .replace(/^option '(?:-\w, )?(--[\w-]+)[^']*' argument '(.*)' is invalid\./, '$1 cannot be "$2".')
    .replace(/Allowed choices are (.*)\.$/, 'It is one of $1.');
}

/**
 * What the parser did not expect it repeats, and that may be a password (`--password=…`, or behind `--password-stdin`) on its
 * way into the log of a build.
 */
function withoutValues(message: string): string {
  return message
    .replace(/^(unknown option '[^'=]+)=.*'/, "$1'")
    .replace(/^(too many arguments .*? but got \d+):.*$/, '$1.');
}

/** The two mistakes that come from a text which the shell or the parser took apart. */
function remedies(code: string, path: string): string[] {
  if (code === 'commander.excessArguments') {
    return path.startsWith('hubctl post') ? ['Put a text with spaces in quotes.'] : [];
  }
  const isPost = path.startsWith('hubctl post ');
  return isPost && code === 'commander.unknownOption'
    ? [
        `What is posted needs no option, or comes from a file: ${path} TEXT, ${path} --file FILE`,
        `A text that begins with - goes after --: ${path} -- TEXT`,
      ]
    : [];
}
