/**
 * Writes the same rows as the product, by hand on bare Bun: `bun by-hand.ts group|each DATA_DIR`. No access checks, no
 * limits, no validation: the key is looked up in a map, the rows are written with raw statements, and either one commit
 * serves all waiting requests or each request has its own commit. `GET /stats` returns the number of posts and flushes.
 */
import { join } from 'node:path';
import { systemClock } from '../../src/platform/adapters/system.ts';
import { startSearchThread } from '../../src/storage/search/search-thread.ts';
import { openDatabase } from '../../src/storage/sqlite/engine/database.ts';

interface WrittenByHand {
  id: string;
  conversationId: string;
  createdAt: string;
}

interface KeyByHand {
  id: string;
  hub_id: string;
}

interface Waiting {
  key: KeyByHand;
  text: string;
  resolve: (data: WrittenByHand) => void;
}

/**
 * Writes the rows of a post with raw statements, and nothing else: `group` commits all waiting posts together, `each`
 * commits them one by one. As in the product, a separate thread updates the search index, and counters are saved
 * every five seconds.
 */
async function startWritingByHand(mode: 'group' | 'each', dataDir: string) {
  const { $client: db } = openDatabase(join(dataDir, 'hub.db'));
  const tokens = (await Bun.file(join(dataDir, 'keys.txt')).text()).split('\n');
  const ids = db.query<KeyByHand, []>('SELECT id, hub_id FROM api_keys ORDER BY id').all();
  const keys = new Map(tokens.map((token, index) => [`Bearer ${token}`, ids[index]]));

  const nextSeq = db.prepare<{ number: number; seq: number; conversation_id: string }, [string]>(
    'UPDATE hubs SET seq = seq + 1, item_count = item_count + 1 WHERE id = ? RETURNING number, seq, conversation_id',
  );
  const insertItem = db.prepare(
    `INSERT INTO items (id, hub_number, kind, seq, created_at, author_kind, author_id, key_id, address, request_id,
       body)
     VALUES (?, ?, 'message', ?, ?, 'bot', 'bot_01', ?, '127.0.0.1', ?, ?)`,
  );
  const insertEvent = db.prepare(
    "INSERT INTO events (hub_number, seq, at, event, item_id) VALUES (?, ?, ?, 'message.created', ?)",
  );
  const countPosts = db.prepare(
    `UPDATE api_keys SET request_count = request_count + ?1, post_count = post_count + ?1,
     last_used_at = ?2, last_used_address = '127.0.0.1' WHERE id = ?3`,
  );
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');

  const silent = (): void => {};
  const log = { debug: silent, info: silent, warn: silent, error: console.error };
  const search = startSearchThread({ dataDir, clock: systemClock, log });
  let counts = new Map<string, number>();
  setInterval(() => {
    const taken = counts;
    counts = new Map();
    begin.run();
    for (const [keyId, posts] of taken) countPosts.run(posts, Date.now(), keyId);
    commit.run();
  }, 5_000);

  let serial = 0;
  let flushes = 0;
  let queue: Waiting[] = [];

  const write = ({ key, text }: Waiting): WrittenByHand => {
    const now = Date.now();
    const id = `msg_${now.toString(36)}${String(serial++).padStart(18, '0')}`;
    const hub = nextSeq.get(key.hub_id) ?? { number: 0, seq: 0, conversation_id: '' };
    insertItem.run(id, hub.number, hub.seq, now, key.id, `req_${serial}`, text);
    insertEvent.run(hub.number, hub.seq, now, id);
    counts.set(key.id, (counts.get(key.id) ?? 0) + 1);
    return { id, conversationId: hub.conversation_id, createdAt: new Date(now).toISOString() };
  };

  const flush = (): void => {
    const batch = queue;
    queue = [];
    begin.run();
    const results = batch.map(write);
    search.itemsCommitted();
    commit.run();
    flushes += 1;
    for (const [n, { resolve }] of batch.entries()) resolve(results[n] as WrittenByHand);
  };

  return {
    keyOf: (authorization: string | null): KeyByHand | undefined => keys.get(authorization ?? ''),
    /** Resolves after the commit. Calls resolve in the order in which they were made. */
    submit: (key: KeyByHand, text: string): Promise<WrittenByHand> =>
      new Promise((resolve) => {
        queue.push({ key, text, resolve });
        if (mode === 'each') flush();
        else if (queue.length === 1) setImmediate(flush);
      }),
    stats: () => ({ posts: serial, flushes }),
  };
}

const [mode = 'group', dataDir = '.'] = Bun.argv.slice(2);
const byHand = await startWritingByHand(mode === 'each' ? 'each' : 'group', dataDir);

const server = Bun.serve({
  port: 0,
  fetch: async (request) => {
    if (request.method === 'GET') return Response.json(byHand.stats());
    const key = byHand.keyOf(request.headers.get('authorization'));
    if (!key) return new Response(null, { status: 401 });
    const { text } = (await request.json()) as { text: string };
    return Response.json({ success: true, data: await byHand.submit(key, text) }, { status: 201 });
  },
});
console.log(JSON.stringify({ port: server.port }));
