import { adminSocketPath, socketFetch } from './connection.ts';
import type { Deps, Prompts } from './deps.ts';
import { CliError, usageError } from './errors.ts';
import { EXIT } from './exit-codes.ts';
import { Output } from './output.ts';
import { WorkspaceApi } from './workspace-api.ts';

/** What the options that every command has were set to. */
export interface GlobalOptions {
  json: boolean;
  color: boolean;
  dataDir?: string | undefined;
}

/** One run of `hubctl`: what its commands work with. */
export class Cli {
  readonly output: Output;
  #options: GlobalOptions;

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
    this.output.configure(options);
  }

  get json(): boolean {
    return this.#options.json;
  }

  get socketPath(): string {
    return adminSocketPath(this.deps.env, this.#options.dataDir);
  }

  /** The server on this machine, with the rights of its admin. */
  get api(): WorkspaceApi {
    return new WorkspaceApi(socketFetch(this.deps, this.socketPath));
  }

  /** Whether a person is there to be asked. */
  get canAsk(): boolean {
    return !this.json && this.deps.stdin.isTTY && this.deps.stderr.isTTY;
  }

  /** What was given on the command line; else the answer of the person at the terminal; else a usage error. */
  async answer<T>(given: T | undefined, missing: string, question: (prompts: Prompts) => Promise<T>): Promise<T> {
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
