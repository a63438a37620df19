import { type TokenUser, userWithToken } from '@hub/testkit/in-process/users';
import type { BenchServer } from './server.ts';

/** A key may send 60 requests a minute, so many keys share the load. */
const KEYS = 64;
const AT_ONCE = 32;

/** Two Hubs, a member of both, and keys that post to the first. */
export interface Workspace {
  hubId: string;
  otherId: string;
  keys: string[];
  user: TokenUser;
}

export async function makeWorkspace(server: BenchServer): Promise<Workspace> {
  const [hubId = '', otherId = ''] = await Promise.all(
    ['Deploys', 'Website'].map(async (name) => (await server.admin.createHub(name)).id),
  );
  const user = await userWithToken(server, { name: 'Ada Lovelace', role: 'owner', hubIds: [hubId, otherId] });
  const keys = await server.admin.issueKeys([hubId], KEYS, ['messages:create']);
  return { hubId, otherId, keys: keys.map(({ key }) => key), user };
}

/** Fills the first Hub with messages of different lengths, and posts a few to the other. */
export async function fillHub({ hubId, otherId, user }: Workspace, count: number): Promise<void> {
  const write = (id: string, text: string) =>
    user.request('POST /hubs/{hubId}/messages', { hubId: id, body: { text } });
  for (let done = 0; done < count; done += AT_ONCE) {
    const batch = Array.from({ length: Math.min(AT_ONCE, count - done) }, (_, n) => textOf(done + n));
    await Promise.all(batch.map((text) => write(hubId, text)));
  }
  for (let n = 0; n < 60; n++) await write(otherId, `In the other Hub, ${n}`);
}

function textOf(n: number): string {
  const words = `Deployed **build ${n}** to production in ${n % 90} s; see \`release-${n}\`. `;
  return n % 7 === 0 ? `${words.repeat(4)}\n\n- one\n- two\n- three` : words;
}
