import { expect } from 'bun:test';
import { post, startTestHub, type TestHub } from './start-test-hub.ts';

/** Starts a server with a key that may only create messages. */
export async function hubWithKey() {
  const hub = await startTestHub();
  const { id: hubId } = await hub.admin.createHub();
  const issued = await hub.admin.issueKey({ hubId, scopes: ['messages:create'] });
  return { hub, ...issued, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

export const send = (hub: TestHub, key: string) => post(hub, 'messages', key, { text: 'x' });
/** Sends all requests at the same time. Returns the statuses of the responses. */
export async function sendMany(hub: TestHub, key: string, count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, async () => (await send(hub, key)).status));
}
export const count = (statuses: number[], status: number) => statuses.filter((one) => one === status).length;
/** Sends until the key is blocked. */
export async function block(hub: TestHub, key: string): Promise<void> {
  expect(count(await sendMany(hub, key, 61), 403)).toBe(1);
}
