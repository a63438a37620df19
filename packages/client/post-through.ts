/**
 * Posts the texts `1`, `2` and so on, several at a time, with the built client in HUB_CLIENT_ENTRY, and prints the
 * outcome of each as JSON: `created`, or the kind of the error. Each key posts few enough not to be blocked.
 */
import type * as Client from './src/index.ts';

const { HUB_CLIENT_ENTRY = '', HUB_URL = '', HUB_KEYS = '', HUB_OPTIONS = '{}', HUB_RETRY } = process.env;
const { HubClient, HubError } = (await import(HUB_CLIENT_ENTRY)) as typeof Client;
const { posts, postsPerKey, ...options } = JSON.parse(HUB_OPTIONS) as Partial<Client.HubClientOptions> & {
  posts: number;
  postsPerKey: number;
};
const CONCURRENCY = 6;

/** Sends a failed request once more, as a careless client would. */
const retrying: Client.HubFetch = (url, init) => fetch(url, init).catch(() => fetch(url, init));

const clients = HUB_KEYS.split(' ').map(
  (apiKey) =>
    new HubClient({
      baseUrl: HUB_URL,
      apiKey,
      pacing: false,
      ...options,
      ...(HUB_RETRY ? { fetch: retrying } : {}),
    }),
);
const outcomes: Record<string, string> = {};
let next = 0;

async function postAll(): Promise<void> {
  while (next < posts) {
    const client = clients[Math.floor(next / postsPerKey)];
    next += 1;
    const text = String(next);
    if (client === undefined) throw new Error('There are too few keys.');
    try {
      await client.messages.create({ text });
      outcomes[text] = 'created';
    } catch (error) {
      if (!(error instanceof HubError)) throw error;
      outcomes[text] = error.kind;
    }
  }
}

await Promise.all(Array.from({ length: CONCURRENCY }, postAll));
console.log(JSON.stringify(outcomes));
process.exit();
