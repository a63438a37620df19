import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { shellWord } from '@hub/contract/shell-word';
import type { Deps } from '../access/deps.ts';
import { plainHttpWarning } from '../http/listen.ts';
import { certificateStatus, readTlsPair } from '../http/public-listener.ts';
import { type Config, defaultAdminSocket, type Environment } from '../platform/config.ts';
import { AppError, StartError } from '../platform/errors.ts';
import type { Log } from '../platform/ports.ts';
import { settings } from '../platform/settings.ts';
import { SERVER } from '../storage/audit.ts';
import { createSetupLink } from '../workspace/users/links.ts';
import { prepareDataDir } from './data-dir.ts';

interface AnnounceOptions {
  readonly config: Config;
  readonly log: Log & { flush(): Promise<void> };
  readonly deps: Deps;
  readonly localUrl: string;
  readonly launcher: StartedBy;
  /** The account of the service that systemd runs, if it does; see `serviceAccount`. */
  readonly account: string | null;
}

/** Announces on standard error and in the log that the server is ready, after any warnings. */
export async function announce({ config, log, deps, localUrl, launcher, account }: AnnounceOptions): Promise<void> {
  const { store, server } = deps;
  for (const warning of warningsOf(config, server.certificate()?.problem)) announceWarning(log, 'warn', {}, warning);
  const url = server.baseUrl();
  const { version } = server;
  log.info({ version, url, localUrl, adminSocket: config.adminSocket }, 'Serving');

  const hasHubs = (await store.hubs.list({ filter: 'live', limit: 1 })).length > 0;
  const command = hubctlCommand(launcher, config, defaultAdminSocket(config.dataDir));
  // hubctl rejects the socket of another account, even if root runs it.
  const hubctl = account === null ? command : `sudo -u ${account} ${command}`;
  const hasOwner = await store.users.hasOwner();
  const setupLink = hasOwner ? null : await newSetupLink(deps, log);
  // On a terminal, what follows must not come before the records above.
  if (process.stdout.isTTY) await log.flush();
  announceReady(greeting({ version, url, localUrl, hasHubs, hasOwner, setupLink, hubctl }));
}

function warningsOf(config: Config, ofCertificate: string | null = null): string[] {
  const warnings = [...config.warnings, plainHttpWarning(config), nodeAddressWarning(config), ofCertificate];
  return warnings.filter((warning) => warning !== null);
}

/**
 * `hub check`: prints what the next start would say about settings that are valid in form, and returns the exit code. It
 * does not open the database: as root, that would leave files that the server cannot write to.
 */
export function announceChecked(config: Config, now: number, userId: number | null): 0 | 2 {
  const warn = (warning: string) => announceReady(`Warning: ${warning}`);
  warningsOf(config).forEach(warn);
  try {
    const certificate = config.tls && certificateStatus(readTlsPair(config.tls), config, now);
    if (certificate?.problem) warn(certificate.problem);
    if (existsSync(config.dataDir)) prepareDataDir(config.dataDir, userId);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    announceReady(error.message);
    return 2;
  }
  announceReady('The settings are valid.');
  return 0;
}

/** Returns a warning if links that this node creates would lead to this node alone. */
function nodeAddressWarning({ databaseUrl, baseUrl }: Pick<Config, 'databaseUrl' | 'baseUrl'>): string | null {
  if (databaseUrl === null || baseUrl !== null) return null;
  return 'HUB_BASE_URL is not set, so links for sign-in and set-up lead to this node only. Set it to the same address on all nodes.';
}

/**
 * Returns a new setup link, unless another node that runs has shown one, which a new one would replace. It is never
 * logged: any reader of the log could become the owner.
 */
async function newSetupLink(deps: AnnounceOptions['deps'], log: Log): Promise<string | null> {
  try {
    const keepsEarlier = deps.node !== null && (await deps.node.cluster()).nodes > 1;
    return (await createSetupLink(deps, { actor: SERVER, address: 'local', user: null }, { keepsEarlier })).link;
  } catch (err) {
    // A full disk must not keep the server from starting; `hubctl setup-link` creates a link afterwards.
    if (!(err instanceof AppError && err.code === 'conflict')) log.warn({ err }, 'Failed to create a setup link');
    return null;
  }
}

/** Logs a warning or an error, and prints it if someone is at the terminal without seeing the log. */
export function announceWarning(
  log: Pick<Log, 'warn' | 'error'>,
  level: 'warn' | 'error',
  fields: object,
  warning: string,
): void {
  log[level](fields, warning);
  if (process.stderr.isTTY && !process.stdout.isTTY) announceReady(`Warning: ${warning}`);
}

/** Prints text for people to standard error; the log goes to standard output. */
export function announceReady(text: string): void {
  process.stderr.write(`${text.trimEnd()}\n`);
}

/** How this server was started, for the commands shown to the user. */
export type StartedBy = 'npx' | 'bun' | 'binary';

export function startedBy(env: Environment, isCompiled: boolean): StartedBy {
  if (isCompiled) return 'binary';
  // npx puts the folder where it installed Bun at the front of PATH. If Bun was already installed, the only sign of npx
  // is npm's user agent in the environment, since Bun only sets its own if that variable is not set yet.
  const isNpx = /[\\/]_npx[\\/]/.test(env.PATH ?? '') || env.npm_config_user_agent?.startsWith('npm/');
  return isNpx ? 'npx' : 'bun';
}

/** Returns the account of the service if systemd started this process (systemd.exec(5)), except for root. */
export function serviceAccount(env: Environment, pid: number): string | null {
  const { SYSTEMD_EXEC_PID, USER = 'root' } = env;
  return SYSTEMD_EXEC_PID === String(pid) && USER !== 'root' ? USER : null;
}

const HUBCTL: Record<StartedBy, string> = {
  npx: 'npx --yes --allow-scripts=bun bun@1.4.5 run hubctl',
  bun: 'bun run hubctl',
  binary: 'hubctl',
};

/** Returns the start of a `hubctl` command line for this server, with the variables that differ from defaults. */
export function hubctlCommand(
  launcher: StartedBy,
  config: Pick<Config, 'dataDir' | 'adminSocket'>,
  defaultSocket: string,
) {
  const assignments: string[] = [];
  if (config.adminSocket !== defaultSocket) {
    assignments.push(`${settings.adminSocket.name}=${shellWord(resolve(config.adminSocket))}`);
  } else if (config.dataDir !== settings.dataDir.default) {
    assignments.push(`${settings.dataDir.name}=${shellWord(resolve(config.dataDir))}`);
  }
  return [...assignments, HUBCTL[launcher]].join(' ');
}

interface Greeting {
  readonly version: string;
  /** The public address, and the address of the listener: the same unless HUB_BASE_URL is set. */
  readonly url: string;
  readonly localUrl: string;
  readonly hasHubs: boolean;
  readonly hasOwner: boolean;
  readonly setupLink: string | null;
  readonly hubctl: string;
}

/** Returns the text for standard error once the server is ready. */
function greeting({ version, url, localUrl, hasHubs, hasOwner, setupLink, hubctl }: Greeting): string {
  const lines = [`Hub ${version} is running at ${url}${url === localUrl ? '' : ` (listening on ${localUrl})`}`];
  if (setupLink !== null) {
    const again = `The link works until the workspace has an owner. For a new link: ${hubctl} setup-link`;
    lines.push('', 'Set up the workspace in a browser:', `  ${setupLink}`, again);
  } else if (!hasOwner) lines.push('', `The workspace has no owner. For a link to set it up: ${hubctl} setup-link`);
  if (!hasHubs)
    lines.push(
      '',
      'Next, create a Hub. In another terminal, in this directory:',
      `  ${hubctl} hubs create "My Hub"`,
      '',
    );
  return `${lines.join('\n')}\n`;
}

/** Returns a warning about damage that SQLite silently accepts by treating the damaged frame as the end of the log. */
export function damagedLogWarning(dataDir: string, commits: number): string {
  return (
    `The database log in ${dataDir} is damaged: ${commits} commits of the last run come after the damage and were ` +
    'not recovered. Unless the disk failed to flush during that run, the newest posts are lost. Check the disk for errors.'
  );
}
