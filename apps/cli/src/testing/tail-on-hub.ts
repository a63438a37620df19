import { memberOf, type PersonCaller } from './hub.ts';
import { startHubctl } from './hubctl-on-hub.ts';
import type { RunOptions } from './run-hubctl.ts';
import { startTail } from './start-tail.ts';

/** A server with a Hub, a key, somebody who works there, and `hubctl tail` on it. */
export async function startTailing() {
  const on = await startHubctl();
  const { hub, releases } = on;
  const { id: keyId, key } = await hub.admin.issueKey({ hubId: releases.id });
  const ada = await memberOf(hub, releases.id, { name: 'Ada Lovelace' });
  const call = async <T = { id: string }>(
    method: string,
    path: string,
    body?: object,
    caller: PersonCaller = ada,
  ): Promise<T> => {
    const answer = await caller.json<T>(method, path, body);
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  return {
    ...on,
    keyId,
    key,
    ada,
    call,
    /** A message of Ada. */
    say: (text: string, hubId = releases.id) => call('POST', `/hubs/${hubId}/messages`, { text }),
    /** A post with the key. */
    post: async (kind: 'messages' | 'notes' | 'todos', body: object): Promise<string> => {
      const answer = await hub.fetch(`/api/public/v1/${kind}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (answer.status !== 201) throw new Error(await answer.text());
      return ((await answer.json()) as { data: { id: string } }).data.id;
    },
    tail: (argv: string[], options: RunOptions = {}) => startTail(on.hubctl, argv, options),
    seq: () => hub.store.events.span(releases.id)?.seq ?? 0,
    [Symbol.asyncDispose]: () => on.stop(),
  };
}
