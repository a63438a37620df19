import { expect } from 'bun:test';
import { post, startTestHub, type TestHub } from './start-test-hub.ts';

/** A hub with a key that may create messages alone. */
export async function hubWithKey() {
  const hub = await startTestHub();
  const { id: hubId } = await hub.admin.createHub();
  const issued = await hub.admin.issueKey({ hubId, scopes: ['messages:create'] });
  return { hub, ...issued, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

export const send = (hub: TestHub, key: string) => post(hub, 'messages', key, { text: 'x' });
/** All at once. Returns the statuses of the answers. */
export async function sendMany(hub: TestHub, key: string, count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, async () => (await send(hub, key)).status));
}
export const count = (statuses: number[], status: number) => statuses.filter((one) => one === status).length;
/** Sends until the key is blocked. */
export async function block(hub: TestHub, key: string): Promise<void> {
  expect(count(await sendMany(hub, key, 61), 403)).toBe(1);
}
