import { Changes } from '@hub/testkit/concurrency';
import type { PostKind } from '@hub/testkit/http';
import { createdOf } from '@hub/testkit/in-process/public-caller';
import { post } from '@hub/testkit/in-process/test-hub';
import { memberOf, type UserCaller } from '@hub/testkit/in-process/users';
import { startHubctl } from './hubctl-on-hub.ts';
import type { Ran, RunOptions } from './run-hubctl.ts';

/** A line of `tail --json`. */
export interface TailLine {
  type: 'event' | 'item' | 'reset' | 'error';
  hubId: string;
  seq?: number;
  event?: string;
  code?: string;
  data: { id: string; text?: string | null };
}

/** Starts `hubctl tail`, which runs until the test stops it as Ctrl-C would. */
export function startTail(
  hubctl: (argv: string[], options: RunOptions) => Promise<Ran>,
  argv: string[],
  options: RunOptions = {},
) {
  const written = { stdout: '', stderr: '' };
  const changes = new Changes();
  const following = Promise.withResolvers<void>();
  const openSocket = (url: string, headers: Record<string, string>): WebSocket => {
    const socket = new WebSocket(url, { headers });
    socket.addEventListener('message', ({ data }) => {
      if (String(data).includes('"type":"subscribed"')) following.resolve();
    });
    return socket;
  };
  const stop = new AbortController();
  const ended = hubctl(['tail', ...argv], {
    openSocket,
    ...options,
    stop: stop.signal,
    onWrite: (name, text) => {
      written[name] += text;
      changes.happened();
    },
  });
  const until = async (isThere: () => boolean): Promise<void> => {
    const early = await Promise.race([changes.until(isThere), ended]);
    if (early && !isThere()) throw new Error(`tail ended with ${early.code}:\n${early.stdout}${early.stderr}`);
  };
  const linesOf = (text: string) => text.split('\n').slice(0, -1);
  const lines = (): TailLine[] => linesOf(written.stdout).map((line) => JSON.parse(line));
  return {
    written,
    /** Returns the JSON lines printed so far. */
    lines,
    until,
    /** Resolves once the first Hub is followed, so that changes are live. */
    follows: () => Promise.race([following.promise, ended]),
    /** Resolves once the output contains the text. */
    shows: (text: string, where: 'stdout' | 'stderr' = 'stdout') => until(() => written[where].includes(text)),
    /** Resolves once there are this many lines. */
    has: (count: number) => until(() => lines().length >= count),
    ended,
    stop: (): Promise<Ran> => {
      stop.abort();
      return ended;
    },
  };
}

/** Starts a server with a Hub, a key and a member, and runs `hubctl tail` on it. */
export async function startTailing() {
  const on = await startHubctl();
  const { hub, releases } = on;
  const { key } = await hub.admin.issueKey({ hubId: releases.id });
  const ada = await memberOf(hub, releases.id, { name: 'Ada Lovelace' });
  const call = (method: string, path: string, body?: object, caller: UserCaller = ada) =>
    caller.call(method, path, body);
  return {
    ...{ ...on, key, ada, call },
    /** Writes a message as Ada. */
    write: (text: string, hubId = releases.id) => call('POST', `/hubs/${hubId}/messages`, { text }),
    /** Posts with the key, and returns the ID. */
    post: async (kind: PostKind, body: object) => (await createdOf(await post(hub, kind, key, body))).data.id,
    tail: (argv: string[], options: RunOptions = {}) => startTail(on.hubctl, argv, options),
    seq: async () => (await hub.store.events.span(releases.id))?.seq ?? 0,
  };
}
