import type { Browser } from 'playwright-core';
import { teamOn } from '../in-process/team.ts';
import { startTestHub } from '../in-process/test-hub.ts';
import { TestProxy } from '../proxy.ts';
import { testSession } from './browser.ts';

/** Starts a team on a server behind a proxy that tests can take offline. */
export async function startProxiedTeam(browser: Browser) {
  const proxy = new TestProxy();
  const hub = await startTestHub({ baseUrl: proxy.url });
  proxy.forwardTo(hub);
  const team = await teamOn(hub, ['Ada Lovelace', 'Bob Kahn']);
  return {
    ...team,
    hub,
    proxy,
    open: (options: Parameters<typeof testSession>[2] = {}) =>
      testSession(browser, { ...hub, url: proxy.url }, { caller: team.ada, ...options }),
    [Symbol.asyncDispose]: async () => {
      proxy.close();
      await hub[Symbol.asyncDispose]();
    },
  };
}

export type ProxiedTeam = Awaited<ReturnType<typeof startProxiedTeam>>;
