import { SERVER } from '../actor.ts';
import type { Config } from '../config.ts';
import type { Deps } from '../deps.ts';
import { plainHttpWarning } from '../http/listen.ts';
import type { Log } from '../ports.ts';
import { defaultAdminSocket } from '../read-config.ts';
import { createSetupLink } from '../users/create-setup-link.ts';
import { greeting, hubctlCommand, type StartedBy } from './start-messages.ts';

export interface AnnounceOptions {
  readonly config: Config;
  readonly log: Log;
  readonly deps: Pick<Deps, 'store' | 'clock' | 'random' | 'newId' | 'server'>;
  readonly localUrl: string;
  readonly by: StartedBy;
}

/** Tells people and the log that the server serves, and what about it is odd. */
export async function announce({ config, log, deps, localUrl, by }: AnnounceOptions): Promise<void> {
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
  const hubctl = hubctlCommand(by, config, defaultAdminSocket(config.dataDir));
  const setupLink = await setupLinkIfNeeded(deps, log);
  announceReady(greeting({ version, url, localUrl, hasHubs: hubs > 0, setupLink, hubctl }));
}

/** A new one at each start without an owner. It is told to people alone: who reads the log could become the owner. */
async function setupLinkIfNeeded(deps: AnnounceOptions['deps'], log: Log): Promise<string | null> {
  if (await deps.store.users.hasOwner()) return null;
  try {
    return (await createSetupLink(deps, { actor: SERVER, address: 'local', user: null })).link;
  } catch (err) {
    // A full disk is no reason not to serve; `hubctl setup-link` makes one later.
    log.warn({ err }, 'There is no set-up link: it could not be written down');
    return null;
  }
}

/** Says something to people. They read standard error; the log goes to standard output. */
export function announceReady(text: string): void {
  process.stderr.write(`${text.trimEnd()}\n`);
}
