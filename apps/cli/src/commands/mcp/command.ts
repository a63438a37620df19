import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { addCommand } from '../../runtime/command-line.ts';
import { usageError } from '../../runtime/errors.ts';
import { hubFor } from '../../runtime/resolve.ts';
import { connectionOf } from '../ask/ask.ts';
import { deliver, PostFailure } from '../post/deliver.ts';
import { addServerOptions, findServer, type PostServer, postUrl } from '../post/options.ts';
import { readKey } from '../post/read-key.ts';
import type { McpHub } from './tools.ts';

export function addMcpCommand(program: Command, cli: Cli): void {
  const command = addCommand(program, 'mcp', {
    about: 'Let an AI agent post, ask, read and search (Model Context Protocol over standard input and output)',
    prints: 'The messages of the protocol. --json is the same.',
    more: {
      title: 'Tools',
      text:
        'With a key (HUB_API_KEY or --key-file): post_message, create_note, create_todo.\n' +
        'With a login (hubctl login, or HUB_URL and HUB_TOKEN): ask_team, read_thread, search, list_todos, complete_todo.',
    },
    examples: ['hubctl mcp', 'hubctl mcp --key-file ~/.hub-key --profile work'],
  });
  addServerOptions(command).action(async (options) => {
    const { deps } = cli;
    const hub = { post: await posting(cli, options), workspace: workspaceOf(cli) };
    if (!hub.post && !hub.workspace)
      throw usageError('No API key and no login.', 'Set HUB_API_KEY, or run: hubctl login URL');
    if (deps.stdin.isTTY) cli.output.quiet('Waiting for the messages of an MCP host. Press Ctrl-D to stop.');
    const { serveMcp } = await import('./tools.ts');
    await serveMcp({ input: deps.stdin.chunks(), write: (text) => deps.stdout.write(text) }, hub, deps.version);
  });
}

async function posting(cli: Cli, { url, ...options }: { url?: string; keyFile?: string }): Promise<McpHub['post']> {
  const key = await readKey(cli, { ...options, skipWithoutKey: options.keyFile === undefined });
  if (key === null) return null;
  const client = await import('@hub/client');
  let server: PostServer | undefined;
  return async (kind, input) => {
    server ??= await findServer(cli, url);
    const { id } = await deliver(
      cli,
      client,
      { kind, input, runMarker: null },
      { key, server, timeoutMs: 30_000, waitMs: 0 },
    ).catch((error) => {
      throw error instanceof PostFailure ? error.cause : error;
    });
    return { id, url: postUrl(server, id) };
  };
}

function workspaceOf(cli: Cli): McpHub['workspace'] {
  if (cli.connection.kind === 'socket') return null;
  return {
    api: cli.api,
    hubId: async (reference) => (await hubFor(cli, reference)).id,
    ask: async (question, signal) => {
      const { ask } = await import('@hub/client/live');
      return await ask({ ...connectionOf(cli), ...question, signal } as Parameters<typeof ask>[0]);
    },
  };
}
