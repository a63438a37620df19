import { startScriptedServer } from './scripted-server.ts';

/** What the server of these tests says that it created. */
export const DATA = { id: 'msg_1', conversationId: 'cnv_1', createdAt: '2026-03-01T09:30:00.000Z' };

/** A server that accepts every post, and says its address as the local one does. */
export function startPostingServer() {
  return startScriptedServer((request) =>
    request.method === 'GET'
      ? Response.json({ name: 'hub', version: '1', baseUrl: 'https://hub.example.com/' })
      : Response.json({ success: true, data: DATA }, { status: 201 }),
  );
}
