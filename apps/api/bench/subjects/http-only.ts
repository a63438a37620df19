/** HTTP with nothing stored: `bun http-only.ts bare|elysia`. The upper bound for any server on this stack. */
import { Elysia } from 'elysia';

const response = {
  success: true,
  data: { id: 'msg_01', conversationId: 'cnv_01', createdAt: new Date().toISOString() },
};

const server =
  Bun.argv[2] === 'elysia'
    ? Bun.serve({
        port: 0,
        fetch: new Elysia().post(
          '/api/public/v1/messages',
          async ({ request, status }) => {
            await request.json();
            return status(201, response);
          },
          { parse: 'none' },
        ).fetch,
      })
    : Bun.serve({
        port: 0,
        fetch: async (request) => {
          await request.json();
          return Response.json(response, { status: 201 });
        },
      });
console.log(JSON.stringify({ port: server.port }));
