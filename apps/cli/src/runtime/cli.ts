import { type Connection, chooseConnection, type ServerFlags } from './choose-connection.ts';
import { socketFetch } from './connection.ts';
import type { Deps, Prompts } from './deps.ts';
import { CliError, usageError } from './errors.ts';
import { EXIT } from './exit-codes.ts';
import { networkFetch } from './network-fetch.ts';
import { Output } from './output.ts';
import { warnOfPlainHttp } from './server-url.ts';
import { WorkspaceApi } from './workspace-api.ts';

/** What the options that every command has were set to. */
export interface GlobalOptions extends ServerFlags {
  json: boolean;
  color: boolean;
}

/** One run of `hubctl`: what its commands work with. */
export class Cli {
  readonly output: Output;
  #options: GlobalOptions;
  #connection: Connection | undefined;
  #api: WorkspaceApi | undefined;

  constructor(
    readonly deps: Deps,
    options: GlobalOptions,
  ) {
    this.#options = options;
    this.output = new Output(deps, options);
  }

  /** Called once the command line was understood; until then the options are a guess that errors are printed by. */
  configure(options: GlobalOptions): void {
    this.#options = options;
    this.#connection = this.#api = undefined;
    this.output.configure(options);
  }

  get json(): boolean {
    return this.#options.json;
  }

  /** What the command line says about the server. */
  get serverFlags(): ServerFlags {
    return this.#options;
  }

  /** The server of this command. */
  get connection(): Connection {
    this.#connection ??= chooseConnection(this.deps.env, this.#options);
    return this.#connection;
  }

  /** The server of this command, with the rights of the local admin or of whoever has logged in. */
  get api(): WorkspaceApi {
    this.#api ??= this.#connect();
    return this.#api;
  }

  #connect(): WorkspaceApi {
    const { connection, deps } = this;
    if (connection.kind === 'socket') {
      return new WorkspaceApi(socketFetch(deps, connection.socketPath, connection.isDefault));
    }
    const { url, token, name } = connection;
    warnOfPlainHttp(this.output, url, 'Your token');
    const again = `The login of the profile "${name}" has ended. Log in again: hubctl login ${url} --profile ${name}`;
    return new WorkspaceApi(networkFetch(deps, url, token), { url, unauthenticatedHint: again });
  }

  /** Whether a person is there to be asked. */
  get canAsk(): boolean {
    return !this.json && this.deps.stdin.isTTY && this.deps.stderr.isTTY;
  }

  /** What was given on the command line; else the answer of the person at the terminal; else a usage error. */
  async response<T>(given: T | undefined, missing: string, question: (prompts: Prompts) => Promise<T>): Promise<T> {
    if (given !== undefined) return given;
    if (!this.canAsk) throw usageError(missing);
    return await question(this.deps.prompts);
  }

  /** Lets the person confirm, unless `--yes` did. */
  async confirm(yes: boolean | undefined, question: string): Promise<void> {
    if (yes) return;
    if (!this.canAsk) throw usageError('This needs a confirmation. Add --yes.');
    if (await this.deps.prompts.confirm(question)) return;
    throw new CliError('cancelled', EXIT.failed, 'Nothing was done.');
  }
}
