import { Command, CommanderError } from 'commander';
import { addApiCommand } from './commands/api.ts';
import { addAskCommand } from './commands/ask/ask.ts';
import { addAuditCommand } from './commands/audit.ts';
import { addBackupCommands } from './commands/backup/backup.ts';
import { addCompletionCommand, completionsOf } from './commands/completion.ts';
import { addDoctor } from './commands/doctor.ts';
import { addHubCommands } from './commands/hubs/hubs.ts';
import { addKeyCommands } from './commands/keys/keys.ts';
import { addMcpCommand } from './commands/mcp/command.ts';
import { addOutboxCommands } from './commands/post/outbox.ts';
import { addPostCommands } from './commands/post/post.ts';
import { addProfileCommands } from './commands/profiles/profiles.ts';
import { addRunCommand } from './commands/run.ts';
import { addNodesCommand, addStatusCommand } from './commands/status.ts';
import { addTailCommand } from './commands/tail/command.ts';
import { addSetupLink } from './commands/users/accounts.ts';
import { addUserCommands } from './commands/users/users.ts';
import { Cli, type GlobalOptions } from './runtime/cli.ts';
import {
  expandPost,
  hasFlag,
  namedCommand,
  parsingError,
  rejectBlankValues,
  rejectSecretArguments,
} from './runtime/command-line.ts';
import type { Deps } from './runtime/deps.ts';
import { asCliError, EXIT, inOptions } from './runtime/errors.ts';

/** Runs one command line (without the name of the program) and returns the exit code. Never exits the process. */
export async function run(argv: readonly string[], deps: Deps): Promise<number> {
  const cli = new Cli(deps, {
    json: hasFlag(argv, '--json'),
    color: !hasFlag(argv, '--no-color'),
    verbose: hasFlag(argv, '--verbose'),
  });
  const program = buildProgram(cli);
  try {
    // The hidden command that completion scripts run.
    if (argv[0] === '__complete') {
      cli.output.raw(completionsOf(program, argv[1] ?? ''));
      return EXIT.done;
    }
    rejectSecretArguments(argv);
    await program.parseAsync(argv.length === 0 ? ['--help'] : expandPost(argv, program), { from: 'user' });
    return cli.exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
    const failure =
      error instanceof CommanderError
        ? parsingError(error, namedCommand(program, expandPost(argv, program)))
        : inOptions(asCliError(error), cli.command);
    // Without a command, the parser has printed the help of the group.
    const isShown = error instanceof CommanderError && error.code === 'commander.help' && !cli.json;
    if (!isShown) cli.output.failure(failure);
    return failure.exitCode;
  }
}

/** Builds the command tree. */
export function buildProgram(cli: Cli): Command {
  const { stdout, stderr, version } = cli.deps;
  const program = new Command('hubctl')
    .description('Manage a Hub server and post to it')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => cli.output.raw(text),
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
    cli.command = command;
    rejectBlankValues(program);
    // With --soft-fail, a blank value is a soft failure, too, so `post` checks it itself.
    if (!command.getOptionValue('softFail')) rejectBlankValues(command);
  });
  program.commandsGroup('Post and read:');
  addPostCommands(program, cli);
  addRunCommand(program, cli);
  addOutboxCommands(program, cli);
  addAskCommand(program, cli);
  addTailCommand(program, cli);
  program.commandsGroup('Hubs, users and keys:');
  addHubCommands(program, cli);
  addUserCommands(program, cli);
  addKeyCommands(program, cli);
  addAuditCommand(program, cli);
  program.commandsGroup('Your account:');
  addProfileCommands(program, cli);
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
  return program;
}
