/**
 * The simplest live view in Bun: `bun plain-live.ts DATA_DIR`. Writes the rows by hand with group commit, and after
 * the commit publishes the posted JSON, as received, to the topic of the Hub. No authorization, no sequence numbers,
 * no replay. Leaves it to Bun to close slow readers.
 */
import { startWritingByHand } from './group-commit-by-hand.ts';

const byHand = await startWritingByHand('group', Bun.argv[2] ?? '.');

const server = Bun.serve({
  port: 0,
  websocket: {
    backpressureLimit: 256 * 1024,
    closeOnBackpressureLimit: true,
    perMessageDeflate: false,
    message: (socket, text) => {
      const { hubId } = JSON.parse(String(text)) as { hubId: string };
      socket.subscribe(hubId);
      socket.send(JSON.stringify({ type: 'subscribed', hubId }));
    },
  },
  fetch: async (request, self) => {
    if (request.method === 'GET') return self.upgrade(request) ? undefined : Response.json(byHand.stats());
    const key = byHand.keyOf(request.headers.get('authorization'));
    if (!key) return new Response(null, { status: 401 });
    const posted = await request.text();
    const data = await byHand.submit(key, (JSON.parse(posted) as { text: string }).text);
    self.publish(key.hub_id, posted, false);
    return Response.json({ success: true, data }, { status: 201 });
  },
});
console.log(JSON.stringify({ port: server.port }));
