/** Reads newline-delimited JSON and writes it: the stdio transport of the Model Context Protocol. */
export interface Lines {
  input: AsyncIterable<Uint8Array>;
  write: (text: string) => void;
}

/** The versions of the protocol whose `initialize`, `tools/list` and `tools/call` this server speaks, newest first. */
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
const [PARSE_ERROR, INVALID_REQUEST, NO_METHOD, INVALID_PARAMS] = [-32700, -32600, -32601, -32602] as const;
/** Longer lines than a tool could need are not kept in memory. */
const MAX_LINE = 4 * 1024 * 1024;

export interface Tool {
  name: string;
  title: string;
  description: string;
  inputSchema: object;
  annotations: { readOnlyHint: boolean; destructiveHint: false; openWorldHint: boolean };
  /** @throws for the agent to read. */
  call: (input: Record<string, unknown>, signal: AbortSignal) => Promise<{ text: string; data: object }>;
}

interface Request {
  id?: string | number;
  method?: unknown;
  params?: Record<string, unknown>;
}

export interface ServerInfo {
  version: string;
  instructions: string;
}

/** Serves tools until the input ends (modelcontextprotocol.io, "Lifecycle", "Tools"), at the same time, cancelable. */
export async function serveTools({ input, write }: Lines, tools: readonly Tool[], info: ServerInfo): Promise<void> {
  const running = new Map<string | number, AbortController>();
  const send = (message: object) => write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const fail = (id: unknown, code: number, message: string) => send({ id: id ?? null, error: { code, message } });

  const call = async (id: string | number, params: Record<string, unknown>): Promise<void> => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) return fail(id, INVALID_PARAMS, `There is no tool ${String(params.name)}.`);
    const aborted = new AbortController();
    running.set(id, aborted);
    try {
      const { text, data } = await tool.call((params.arguments ?? {}) as Record<string, unknown>, aborted.signal);
      send({ id, result: { content: [{ type: 'text', text }], structuredContent: data } });
    } catch (error) {
      // A canceled request has no response.
      if (!aborted.signal.aborted)
        send({ id, result: { content: [{ type: 'text', text: textOf(error) }], isError: true } });
    } finally {
      running.delete(id);
    }
  };

  const handle = ({ id, method, params = {} }: Request): unknown => {
    if (typeof method !== 'string')
      return id === undefined ? undefined : fail(id, INVALID_REQUEST, 'The method is missing.');
    if (method === 'notifications/cancelled') return running.get(params.requestId as string)?.abort();
    if (id === undefined) return undefined;
    if (method === 'initialize') {
      const protocolVersion = VERSIONS.find((version) => version === params.protocolVersion) ?? VERSIONS[0];
      const { version, instructions } = info;
      const serverInfo = { name: 'hub', title: 'Hub', version };
      return send({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo, instructions } });
    }
    if (method === 'ping') return send({ id, result: {} });
    if (method === 'tools/list') return send({ id, result: { tools: tools.map(({ call: _, ...tool }) => tool) } });
    if (method === 'tools/call') return call(id, params);
    return fail(id, NO_METHOD, `There is no method ${method}.`);
  };

  const calls = new Set<Promise<unknown>>();
  for await (const line of linesOf(input)) {
    let request: unknown;
    try {
      request = JSON.parse(line);
    } catch {
      fail(null, PARSE_ERROR, 'The line is not JSON.');
      continue;
    }
    if (typeof request !== 'object' || request === null || Array.isArray(request)) {
      fail(null, INVALID_REQUEST, 'The line is not a request.');
      continue;
    }
    const handled = Promise.resolve(handle(request));
    calls.add(handled);
    void handled.finally(() => calls.delete(handled));
  }
  for (const aborted of running.values()) aborted.abort();
  await Promise.all(calls);
}

function textOf(error: unknown): string {
  const { message, details } = error as { message?: string; details?: { hint?: string } };
  return [message ?? String(error), details?.hint ?? []].flat().join('\n');
}

async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of input) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE) throw new Error('A line of the input is too long.');
    for (const line of lines) if (line.trim() !== '') yield line;
  }
}
