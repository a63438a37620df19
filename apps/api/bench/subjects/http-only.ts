/** HTTP with nothing stored: `bun http-only.ts bare|elysia`. The upper bound for any server on this stack. */
import { Elysia } from 'elysia';

const data = { id: 'msg_01', conversationId: 'cnv_01', createdAt: new Date().toISOString() };
const response = { success: true, data };

const bare = async (request: Request): Promise<Response> => {
  await request.json();
  return Response.json(response, { status: 201 });
};
const elysia = new Elysia().post(
  '/api/public/v1/messages',
  async ({ request, status }) => {
    await request.json();
    return status(201, response);
  },
  { parse: 'none' },
);
const server = Bun.serve({ port: 0, fetch: Bun.argv[2] === 'elysia' ? elysia.fetch : bare });
console.log(JSON.stringify({ port: server.port }));
