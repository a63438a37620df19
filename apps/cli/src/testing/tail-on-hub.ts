import { memberOf, type UserCaller } from './hub.ts';
import { startHubctl } from './hubctl-on-hub.ts';
import type { RunOptions } from './run-hubctl.ts';
import { startTail } from './start-tail.ts';

/** Starts a server with a Hub, a key and a member, and runs `hubctl tail` on it. */
export async function startTailing() {
  const on = await startHubctl();
  const { hub, releases } = on;
  const { id: keyId, key } = await hub.admin.issueKey({ hubId: releases.id });
  const ada = await memberOf(hub, releases.id, { name: 'Ada Lovelace' });
  const call = async <T = { id: string }>(
    method: string,
    path: string,
    body?: object,
    caller: UserCaller = ada,
  ): Promise<T> => {
    const response = await caller.json<T>(method, path, body);
    if (response.status >= 400)
      throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`);
    return response.body;
  };
  return {
    ...on,
    keyId,
    key,
    ada,
    call,
    /** Writes a message as Ada. */
    write: (text: string, hubId = releases.id) => call('POST', `/hubs/${hubId}/messages`, { text }),
    /** Posts with the key, and returns the ID. */
    post: async (kind: 'messages' | 'notes' | 'todos', body: object): Promise<string> => {
      const response = await hub.fetch(`/api/public/v1/${kind}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (response.status !== 201) throw new Error(await response.text());
      return ((await response.json()) as { data: { id: string } }).data.id;
    },
    tail: (argv: string[], options: RunOptions = {}) => startTail(on.hubctl, argv, options),
    seq: () => hub.store.events.span(releases.id)?.seq ?? 0,
    [Symbol.asyncDispose]: () => on.stop(),
  };
}
