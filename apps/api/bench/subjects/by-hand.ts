/**
 * Writes the same rows as the product, by hand on bare Bun: `bun by-hand.ts group|each DATA_DIR`. No access checks, no
 * limits, no validation: the key is looked up in a map, the rows are written with raw statements, and either one commit
 * serves all waiting requests or each request has its own commit. `GET /stats` returns the number of posts and flushes.
 */
import { startWritingByHand } from './group-commit-by-hand.ts';

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
