import type { Command } from 'commander';
import { commandPath } from './command-line.ts';
import { type Connection, chooseConnection, expiredTokenHint, type ServerFlags, socketFetch } from './connection.ts';
import { debugging } from './debug.ts';
import type { Deps, Prompts } from './deps.ts';
import { EXIT, failed, usageError } from './errors.ts';
import { networkFetch, warnOfPlainHttp } from './network.ts';
import { Output } from './output.ts';
import { plainLine } from './terminal-text.ts';
import { type WorkspaceApi, workspaceApi } from './workspace-api.ts';

/** The values of the global options. */
export interface GlobalOptions extends ServerFlags {
  json: boolean;
  color: boolean;
  /** Whether each request is reported. */
  verbose?: boolean;
}

/** The context of one `hubctl` run. */
export class Cli {
  readonly output: Output;
  /** The exit code of this run unless it fails; `hubctl run` has that of another program. */
  exitCode: number = EXIT.done;
  /** The command that runs. */
  command: Command | undefined;
  #options: GlobalOptions;
  #connection: Connection | undefined;
  #api: WorkspaceApi | undefined;

  readonly deps: Deps;

  constructor(deps: Deps, options: GlobalOptions) {
    this.deps = options.verbose || /^[^0]/.test(deps.env.HUB_DEBUG ?? '') ? debugging(deps) : deps;
    this.#options = options;
    this.output = new Output(deps, options);
  }

  /** Sets the parsed options. Until then, errors are printed with options guessed from the raw arguments. */
  configure(options: GlobalOptions): void {
    this.#options = options;
    this.#connection = this.#api = undefined;
    this.output.configure(options);
  }

  get json(): boolean {
    return this.#options.json;
  }

  /** The options that select the server. */
  get serverFlags(): ServerFlags {
    return this.#options;
  }

  /** The connection to the server that this command uses. */
  get connection(): Connection {
    this.#connection ??= chooseConnection(this.deps.env, this.#options);
    return this.#connection;
  }

  /** The workspace API of this server, as the local admin or the logged-in user. */
  get api(): WorkspaceApi {
    this.#api ??= this.#connect();
    return this.#api;
  }

  #connect(): WorkspaceApi {
    const { connection, deps } = this;
    if (connection.kind === 'socket') {
      return workspaceApi(socketFetch(deps, connection.socketPath, connection.isDefault));
    }
    const { url, token } = connection;
    warnOfPlainHttp(this.output, url, 'Your token');
    return workspaceApi(networkFetch(deps, url, token), url, expiredTokenHint(connection));
  }

  /** Whether prompts are possible. */
  get canAsk(): boolean {
    return !this.json && this.deps.stdin.isTTY && this.deps.stderr.isTTY;
  }

  /** Returns the given value, else asks for it, else throws a usage error: `flag` or the arguments are missing. */
  async valueOrPrompt<T>(given: T | undefined, ask: (prompts: Prompts) => Promise<T>, flag?: string): Promise<T> {
    if (given !== undefined) return given;
    if (this.canAsk) return await ask(this.deps.prompts);
    const path = this.command ? commandPath(this.command) : 'hubctl';
    if (flag !== undefined) throw usageError(`${flag} is missing.`, `See: ${path} --help`);
    const names = this.command?.registeredArguments.map((argument) => argument.name().toUpperCase()) ?? [];
    throw usageError(`Specify the arguments: ${[path, ...names].join(' ')}`);
  }

  /** Like `valueOrPrompt`, for a text that must not be empty. */
  text(given: string | undefined, question: string, flag?: string): Promise<string> {
    return this.valueOrPrompt(
      given,
      (prompts) => prompts.text(question, (response) => response !== '' || 'Enter a value.'),
      flag,
    );
  }

  /**
   * Asks for confirmation unless `--yes` is set. With a `name`, of what is deleted or revoked, the user has to type it:
   * unlike a yes, a name is never typed by habit.
   */
  async confirm(yes: boolean | undefined, question: string, name?: string): Promise<void> {
    if (yes) return;
    if (!this.canAsk) throw usageError('Confirmation required. Add --yes.');
    const { prompts } = this.deps;
    if (name === undefined) {
      if (await prompts.confirm(question)) return;
      throw failed('cancelled', 'Canceled. Nothing was changed.');
    }
    const printableName = plainLine(name).trim();
    if ((await prompts.text(`${question} Type ${printableName} to confirm:`)).trim() === printableName) return;
    throw failed('cancelled', 'That is not the name. Nothing was changed.');
  }
}
