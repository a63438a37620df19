import { type Command, CommanderError } from 'commander';
import { addApiCommand } from './commands/api.ts';
import { addAskCommand } from './commands/ask/command.ts';
import { addAuditCommand } from './commands/audit.ts';
import { addBackupCommands } from './commands/backup/commands.ts';
import { addCompletionCommand } from './commands/completion/command.ts';
import { addDoctor } from './commands/doctor.ts';
import { addHubCommands } from './commands/hubs/hubs.ts';
import { addItemCommands } from './commands/items.ts';
import { addKeyCommands } from './commands/keys/keys.ts';
import { addMcpCommand } from './commands/mcp/command.ts';
import { addOutboxCommands } from './commands/post/outbox.ts';
import { addPostCommands } from './commands/post/post.ts';
import { addProfileCommands } from './commands/profiles/profiles.ts';
import { addTokenCommands } from './commands/profiles/tokens.ts';
import { addRunCommand } from './commands/run.ts';
import { addNodesCommand, addStatusCommand } from './commands/status.ts';
import { addTailCommand } from './commands/tail/command.ts';
import { addSetupLink } from './commands/users/accounts.ts';
import { addUserCommands } from './commands/users/users.ts';
import { Cli, type GlobalOptions } from './runtime/cli.ts';
import {
  commandPath,
  expandHelp,
  expandPost,
  hasFlag,
  namedCommand,
  rejectBlankValues,
  rejectSecretArguments,
  rejectWrongValues,
} from './runtime/command-line.ts';
import type { Deps } from './runtime/deps.ts';
import { asCliError, EXIT, type ExitCode, usageError } from './runtime/errors.ts';
import { Parser, verbsOf } from './runtime/parser.ts';
import { setCommandNames } from './runtime/terminal-text.ts';

/** Runs one command line (without the name of the program) and returns the exit code. Never exits the process. */
export async function run(argv: readonly string[], deps: Deps): Promise<number> {
  const cli = new Cli(deps, {
    json: hasFlag(argv, '--json'),
    color: !hasFlag(argv, '--no-color'),
    verbose: hasFlag(argv, '--verbose'),
  });
  const help = { text: '' };
  const program = buildProgram(cli, help);
  let words = [...argv];
  try {
    if (argv[0] === COMPLETE) return await complete(cli, program, argv.slice(1));
    rejectSecretArguments(argv);
    words = expandHelp(argv.length === 0 ? ['--help'] : expandPost(argv, program), program);
    await program.parseAsync(words, { from: 'user' });
    return cli.exitCode;
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
  const program = new Parser('hubctl')
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
    .helpOption('-h, --help', 'Show help')
    .commandsGroup('Other:')
    .helpCommand('help [command]', 'Show help for a command')
    .version(version, '-v, --version', 'Show the version')
    .option('--json', 'Print one JSON document on standard output, including errors')
    .option('--verbose', 'Report each request on standard error, without secrets (like HUB_DEBUG=1)')
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
  addRunCommand(program, cli);
  addOutboxCommands(program, cli);
  addAskCommand(program, cli);
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
  addBackupCommands(program, cli);
  addSetupLink(program, cli);
  program.commandsGroup('Other:');
  addApiCommand(program, cli);
  addMcpCommand(program, cli);
  addCompletionCommand(program, cli);
  setCommandNames(program.commands.map((command) => command.name()));
  return program;
}

/** Handles help and the version, which the parser throws as errors. Without a command, help is a usage error. */
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
  if (cli.json) cli.output.failure(usageError(`\`${commandPath(command)}\` needs a command: ${verbsOf(command)}`));
  return EXIT.usage;
}
