import type { BenchServer } from './server.ts';

/** A key may send 60 requests a minute, so many keys share the load. */
const KEYS = 64;
const AT_ONCE = 32;

/** Two Hubs, a member of both, and keys that post to the first. */
export interface Workspace {
  hubId: string;
  otherId: string;
  keys: string[];
  /** The session cookie, as `name=value`. */
  cookie: string;
}

export async function makeWorkspace(server: BenchServer): Promise<Workspace> {
  const password = 'a good long password';
  const user = { email: 'ada@example.org', name: 'Ada Lovelace', role: 'owner', password };
  const { id: userId } = await server.admin<{ id: string }>('POST', '/users', user);
  const [hubId, otherId] = await Promise.all(
    ['Deploys', 'Website'].map(async (name) => {
      const { id } = await server.admin<{ id: string }>('POST', '/hubs', { name });
      await server.admin('POST', `/hubs/${id}/members`, { userId });
      return id;
    }),
  );
  if (hubId === undefined || otherId === undefined) throw new Error('No Hubs were created');
  const keys: string[] = [];
  for (let n = 0; n < KEYS; n++) {
    const body = { hubId, name: `program-${n}`, scopes: ['messages:create'] };
    keys.push((await server.admin<{ key: string }>('POST', '/keys', body)).key);
  }
  const response = await fetch(`${server.url}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url },
    body: JSON.stringify({ email: user.email, password }),
  });
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return { hubId, otherId, keys, cookie };
}

/** Fills the first Hub with messages of different lengths, and posts a few to the other. */
export async function fillHub(
  server: BenchServer,
  { hubId, otherId, cookie }: Workspace,
  count: number,
): Promise<void> {
  const write = async (id: string, text: string) => {
    const response = await fetch(`${server.url}/api/v1/hubs/${id}/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: server.url, cookie },
      body: JSON.stringify({ text }),
    });
    if (response.status !== 201) throw new Error(`Message not created: ${response.status}`);
  };
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
