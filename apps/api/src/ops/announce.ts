import { SERVER } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import type { Config } from '../core/config.ts';
import type { Log } from '../core/ports.ts';
import { defaultAdminSocket } from '../core/read-config.ts';
import { plainHttpWarning } from '../http/listen.ts';
import { createSetupLink } from '../users/links.ts';
import { greeting, hubctlCommand, type StartedBy } from './start-messages.ts';

export interface AnnounceOptions {
  readonly config: Config;
  readonly log: Log;
  readonly deps: Pick<Deps, 'store' | 'clock' | 'random' | 'newId' | 'server'>;
  readonly localUrl: string;
  readonly launcher: StartedBy;
}

/** Announces on standard error and in the log that the server is ready, after any warnings. */
export async function announce({ config, log, deps, localUrl, launcher }: AnnounceOptions): Promise<void> {
  const { store, clock, server } = deps;
  const plainHttp = plainHttpWarning(config);
  for (const warning of plainHttp ? [...config.warnings, plainHttp] : config.warnings) {
    log.warn({}, warning);
    announceReady(`Warning: ${warning}`);
  }
  const url = server.baseUrl();
  const { version } = server;
  log.info({ version, url, localUrl, adminSocket: config.adminSocket }, 'Serving');

  const { hubs } = await store.totals(clock.now());
  const hubctl = hubctlCommand(launcher, config, defaultAdminSocket(config.dataDir));
  const setupLink = await setupLinkIfNeeded(deps, log);
  announceReady(greeting({ version, url, localUrl, hasHubs: hubs > 0, setupLink, hubctl }));
}

/**
 * Returns a new setup link if there is no owner yet. It is never logged: anyone who reads the log could become the
 * owner.
 */
async function setupLinkIfNeeded(deps: AnnounceOptions['deps'], log: Log): Promise<string | null> {
  if (await deps.store.users.hasOwner()) return null;
  try {
    return (await createSetupLink(deps, { actor: SERVER, address: 'local', user: null })).link;
  } catch (err) {
    // A full disk must not keep the server from starting; `hubctl setup-link` creates a link afterwards.
    log.warn({ err }, 'Failed to create a setup link');
    return null;
  }
}

/** Prints text for people to standard error; the log goes to standard output. */
export function announceReady(text: string): void {
  process.stderr.write(`${text.trimEnd()}\n`);
}
