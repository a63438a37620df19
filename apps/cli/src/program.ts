import { nearestWord } from '@hub/contract/nearest-word';
import { Command, CommanderError } from 'commander';
import { addAuditCommand } from './commands/audit.ts';
import { addBackupCommand } from './commands/backup/backup.ts';
import { addMoveCommand } from './commands/backup/move.ts';
import { addRestoreCommand } from './commands/backup/restore.ts';
import { addCompletionCommand } from './commands/completion/command.ts';
import { addDoctor } from './commands/doctor.ts';
import { addHubCommands } from './commands/hubs/hubs.ts';
import { addItemCommands } from './commands/items.ts';
import { addKeyCommands } from './commands/keys/keys.ts';
import { addOutboxCommands } from './commands/post/outbox.ts';
import { addPostCommands } from './commands/post/post.ts';
import { addProfileCommands } from './commands/profiles/profiles.ts';
import { addTokenCommands } from './commands/profiles/tokens.ts';
import { addNodesCommand, addStatusCommand } from './commands/status.ts';
import { addTailCommand } from './commands/tail/command.ts';
import { addSetupLink } from './commands/users/accounts.ts';
import { addUserCommands } from './commands/users/users.ts';
import { Cli, type GlobalOptions } from './runtime/cli.ts';
import {
  aliasesOf,
  commandPath,
  expandHelp,
  expandPost,
  hasFlag,
  namedCommand,
  POST_KINDS,
  rejectBlankValues,
  rejectSecretArguments,
  rejectWrongValues,
} from './runtime/command-line.ts';
import type { Deps } from './runtime/deps.ts';
import { asCliError, EXIT, type ExitCode, optionOfField, usageError } from './runtime/errors.ts';

/** Runs one command line (without the name of the program) and returns the exit code. Never exits the process. */
export async function run(argv: readonly string[], deps: Deps): Promise<ExitCode> {
  const cli = new Cli(deps, { json: hasFlag(argv, '--json'), color: !hasFlag(argv, '--no-color') });
  const help = { text: '' };
  const program = buildProgram(cli, help);
  let words = [...argv];
  try {
    if (argv[0] === COMPLETE) return await complete(cli, program, argv.slice(1));
    rejectSecretArguments(argv);
    words = expandHelp(expandPost(argv, program), program);
    await program.parseAsync(words, { from: 'user' });
    return EXIT.done;
  } catch (error) {
    if (error instanceof CommanderError) return endOfParsing(cli, program, words, error, help.text);
    const failure = asCliError(error);
    cli.output.failure(failure);
    return failure.exitCode;
  }
}

/** The hidden command that completion scripts run to get candidates. */
const COMPLETE = '__complete';

async function complete(cli: Cli, program: Command, argv: readonly string[]): Promise<ExitCode> {
  await (await import('./commands/completion/reply.ts')).replyToShell(cli, program, argv);
  return EXIT.done;
}

/** Builds the command tree. `shown` collects help and version for the JSON document. */
export function buildProgram(cli: Cli, help = { text: '' }): Command {
  const { stdout, stderr, version } = cli.deps;
  const program = new Command('hubctl')
    .description('Manage a Hub server and post to it')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => {
        if (cli.json) help.text += text;
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
    .configureHelp({ minWidthToWrap: 24 })
    // It suggests words of another meaning; `suggestion` has the program's own.
    .showSuggestionAfterError(false)
    .helpOption('-h, --help', 'Show help')
    .commandsGroup('Other:')
    .helpCommand('help [command]', 'Show help for a command')
    .version(version, '-V, --version', 'Show the version')
    .option('--json', 'Print one JSON document on standard output, including errors')
    .option('--no-color', 'Disable colors (like NO_COLOR)')
    .option('--profile <profile>', 'Use the server of this profile (default: HUB_PROFILE, else the current profile)')
    .option('--local', 'Use the server on this machine, even if you are logged in to another one')
    .option(
      '--data-dir <dir>',
      'Set the data directory of the server on this machine (default: HUB_DATA_DIR, else ./data)',
    );
  program.hook('preAction', (_, command) => {
    const options = program.opts<Partial<GlobalOptions> & { color: boolean }>();
    cli.configure({ ...options, json: options.json ?? false });
    rejectBlankValues(program);
    // With --soft-fail, a wrong value is a soft failure, too, so `post` checks it itself.
    if (!command.getOptionValue('softFail')) rejectWrongValues(command, cli.deps);
  });
  program.commandsGroup('Post and read:');
  addPostCommands(program, cli);
  addOutboxCommands(program, cli);
  addTailCommand(program, cli);
  program.commandsGroup('Hubs, users, keys and items:');
  addHubCommands(program, cli);
  addUserCommands(program, cli);
  addKeyCommands(program, cli);
  addItemCommands(program, cli);
  addAuditCommand(program, cli);
  program.commandsGroup('Your account:');
  addProfileCommands(program, cli);
  addTokenCommands(program, cli);
  program.commandsGroup('Server:');
  addStatusCommand(program, cli);
  addNodesCommand(program, cli);
  addDoctor(program, cli);
  addBackupCommand(program, cli);
  addRestoreCommand(program, cli);
  addMoveCommand(program, cli);
  addSetupLink(program, cli);
  program.commandsGroup('Other:');
  addCompletionCommand(program, cli);
  return program;
}

/** Handles help, version and usage errors. The parser throws all of them as errors. */
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
    if (cli.json) cli.output.failure(usageError(`\`${path}\` needs a command: ${verbsOf(command)}`));
    return EXIT.usage;
  }
  const message = usageMessage(
    withoutValues(error.message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' ')),
    command,
  );
  cli.output.failure(
    usageError(message, [...remedies(error.code, message, command, words), `See: ${path} --help`].join('\n')),
  );
  return EXIT.usage;
}

function verbsOf(command: Command): string {
  return command.commands.map((verb) => verb.name()).join(', ');
}

/** Rewords the parser's message as sentences, with the command or option that the user may have meant. */
function usageMessage(message: string, command: Command): string {
  const sentence = message
    .replace(
      /^too many arguments for '.*'\. Expected (\d+) arguments? but got (\d+)\.?$/,
      command.commands.length > 0
        ? `Unknown command for \`${commandPath(command)}\`. Use one of: ${verbsOf(command)}.`
        : `Too many arguments for \`${commandPath(command)}\`: expected at most $1, got $2.`,
    )
    .replace('expected at most 0', 'expected none')
    .replace(/^option '(?:-\w, )?(--[\w-]+)[^']*' argument missing$/, '$1 needs a value.')
    .replace(/^command-argument value '(.*)' is invalid for argument '(.*)'\./, 'Unknown $2 "$1".')
    .replace(/^option '(?:-\w, )?(--[\w-]+)[^']*' argument '(.*)' is invalid\./, 'Invalid value "$2" for $1.')
    .replace(/Allowed choices are (.*)\.$/, 'Use one of: $1.')
    .replace(/^[a-z]/, (letter) => letter.toUpperCase())
    .replace(/[^.]$/, '$&.');
  const suggested = suggestion(message, command);
  return suggested === undefined ? sentence : `${sentence} ${suggested}`;
}

function suggestion(message: string, command: Command): string | undefined {
  const [, kind, typed = ''] = /^unknown (command|option) '(?:--)?([\w-]+)'$/.exec(message) ?? [];
  if (kind === undefined) return undefined;
  if (kind === 'option') return knownOption(typed, command);
  // Not an alias: disabling a user is less than a deletion.
  if (commandPath(command) === 'hubctl users' && /^(?:delete|remove|rm)$/.test(typed)) {
    return 'Users cannot be deleted, only disabled: hubctl users disable USER';
  }
  const nearest = nearestWord(
    typed,
    command.commands.flatMap((each) => [each.name(), ...aliasesOf(each)]),
  );
  return nearest && `Did you mean ${nearest}?`;
}

/**
 * Suggests the nearest option, that of a field of the API (--due for --due-date), or that of a value (--state deleted for
 * --deleted).
 */
function knownOption(typed: string, command: Command): string | undefined {
  const field = optionOfField(typed.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()));
  if (command.options.some(({ long }) => long === field)) return `Did you mean ${field}?`;
  const choosing = command.options.find(({ argChoices }) => argChoices?.includes(typed));
  if (choosing) return `Did you mean ${choosing.long} ${typed}?`;
  if (kindsWith(`--${typed}`, command).length > 0) return undefined;
  const options = [...command.options, ...(command.parent?.parent ?? command.parent ?? command).options];
  const nearest = nearestWord(
    typed,
    options.flatMap(({ long, hidden }) => (long && !hidden ? [long.slice(2)] : [])),
  );
  return nearest && `Did you mean --${nearest}?`;
}

/** Returns the other kinds of post that have an option. */
function kindsWith(option: string, { parent }: Command): Command[] {
  if (parent?.name() !== 'post') return [];
  return parent.commands.filter(({ options }) => options.some(({ long }) => long === option));
}

/**
 * Removes unexpected values from the parser's message: they may be a password (`--password=…`, or after
 * `--password-stdin`), which must not end up in a build log.
 */
function withoutValues(message: string): string {
  return message
    .replace(/^(unknown option '[^'=]+)=.*'/, "$1'")
    .replace(/^(too many arguments .*? but got \d+):.*$/, '$1.');
}

/** Options that other programs have for the text of a post. */
const TEXT_OPTION = /^--(?:te?xt|msg|message|body|content)$/;

/** Options that other programs have for a key. */
const KEY_OPTION = /^--(?:api-)?(?:key|token)$/;

/** Returns hints for text that the shell split, or that the parser took for an option. */
function remedies(code: string, message: string, command: Command, words: readonly string[]): string[] {
  const path = commandPath(command);
  if (!path.startsWith('hubctl post ')) return [];
  if (code === 'commander.excessArguments') {
    // `expandPost` has added "message".
    const kind = nearestWord(words[words.indexOf('post') + 2] ?? '', POST_KINDS);
    return ['Quote text that contains spaces.', ...(kind ? [`Did you mean \`hubctl post ${kind}\`?`] : [])];
  }
  const [, unknown] = /^Unknown option '(.*)'\.$/.exec(message) ?? [];
  if (unknown === undefined) return [];
  const isText = !/^--[\w-]+$/.test(unknown);
  const kinds = kindsWith(unknown, command);
  return [
    ...(kinds.length > 0
      ? [`Did you mean ${kinds.map((kind) => `\`${commandPath(kind)} ${unknown}\``).join(' or ')}?`]
      : []),
    ...(KEY_OPTION.test(unknown)
      ? ['Pass the key in HUB_API_KEY, with --key-file FILE, or with --key-stdin: arguments can be read by others.']
      : []),
    ...(isText || TEXT_OPTION.test(unknown)
      ? [`Pass the text as an argument or in a file: ${path} TEXT, ${path} --file FILE`]
      : []),
    ...(isText ? [`If the text starts with -, put it after --: ${path} -- TEXT`] : []),
  ];
}
