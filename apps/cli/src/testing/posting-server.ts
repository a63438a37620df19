import { startScriptedServer } from './scripted-server.ts';

/** The result of every post. */
export const DATA = { id: 'msg_1', conversationId: 'cnv_1', createdAt: '2026-03-01T09:30:00.000Z' };

/** Starts a server that accepts every post, and reports its base URL as a local server does. */
export function startPostingServer() {
  return startScriptedServer((request) =>
    request.method === 'GET'
      ? Response.json({ name: 'hub', version: '1', baseUrl: 'https://hub.example.com/' })
      : Response.json({ success: true, data: DATA }, { status: 201 }),
  );
}
