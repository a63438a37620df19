import { resolve } from 'node:path';
import { type Config, settings } from '../config.ts';
import type { Environment } from '../read-config.ts';

/** How this server was started, for the commands that people are told to type. */
export type StartedBy = 'npx' | 'bun' | 'binary';

export function startedBy(env: Environment, isCompiled: boolean): StartedBy {
  if (isCompiled) return 'binary';
  // npx puts the folder into which it has installed Bun at the front of PATH. If it finds a Bun that is installed
  // already, only npm's name in the user agent tells; Bun sets it to its own if nobody else has.
  const isNpx = /[\\/]_npx[\\/]/.test(env.PATH ?? '') || env.npm_config_user_agent?.startsWith('npm/');
  return isNpx ? 'npx' : 'bun';
}

const HUBCTL: Record<StartedBy, string> = {
  npx: 'npx --yes --allow-scripts=bun bun@1.4.5 run hubctl',
  bun: 'bun run hubctl',
  binary: 'hubctl',
};

/**
 * The start of a `hubctl` command line that reaches this server over its socket. hubctl finds it by the same
 * variables, so where they differ from the defaults they stand in front.
 */
export function hubctlCommand(by: StartedBy, config: Pick<Config, 'dataDir' | 'adminSocket'>, defaultSocket: string) {
  const assignments: string[] = [];
  if (config.adminSocket !== defaultSocket) {
    assignments.push(`${settings.adminSocket.name}=${quoted(resolve(config.adminSocket))}`);
  } else if (config.dataDir !== settings.dataDir.default) {
    assignments.push(`${settings.dataDir.name}=${quoted(resolve(config.dataDir))}`);
  }
  return [...assignments, HUBCTL[by]].join(' ');
}

/** As one word of a POSIX shell. */
function quoted(text: string): string {
  return /^[\w./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

export interface Greeting {
  readonly version: string;
  /** The address for people, and the one that the server listens on: the same unless HUB_BASE_URL is set. */
  readonly url: string;
  readonly localUrl: string;
  readonly hasHubs: boolean;
  /** The link that sets the workspace up; `null` if there is an owner. */
  readonly setupLink: string | null;
  readonly hubctl: string;
}

/** What a person sees on standard error once the server serves. */
export function greeting({ version, url, localUrl, hasHubs, setupLink, hubctl }: Greeting): string {
  const lines = [`Hub ${version} serves at ${url}${url === localUrl ? '' : ` (listening on ${localUrl})`}`];
  if (setupLink !== null) {
    const again = `It works once, until there is an owner. For another one: ${hubctl} setup-link`;
    lines.push('', 'Set the workspace up in a browser:', `  ${setupLink}`, again);
  }
  if (!hasHubs)
    lines.push('', 'Next, make a Hub. In another terminal, in this folder:', `  ${hubctl} hubs create "My Hub"`, '');
  return `${lines.join('\n')}\n`;
}

/** Damage that SQLite passes over: it takes the log for one that ends there. */
export function damagedLogWarning(dataDir: string, commits: number): string {
  return (
    `The log of the database in ${dataDir} is damaged: ${commits} commits of the last run stand behind the place and are ` +
    'not taken up. Unless the disk refused to flush in that run, the newest posts are lost. See that the disk is sound.'
  );
}
