import type { Ran, RunOptions } from './run-hubctl.ts';

/** A line of `tail --json`. */
export interface TailLine {
  type: 'event' | 'item' | 'reset' | 'error';
  hubId: string;
  seq?: number;
  event?: string;
  code?: string;
  data: { id: string; text?: string | null };
}

/** Starts `hubctl tail`, which runs until the test stops it as Ctrl-C would. */
export function startTail(
  hubctl: (argv: string[], options: RunOptions) => Promise<Ran>,
  argv: string[],
  options: RunOptions = {},
) {
  const written = { stdout: '', stderr: '' };
  let watchers: { isThere: () => boolean; seen: () => void }[] = [];
  const look = (): void => {
    for (const { isThere, seen } of watchers) if (isThere()) seen();
    watchers = watchers.filter(({ isThere }) => !isThere());
  };
  const following = Promise.withResolvers<void>();
  const openSocket = (url: string, headers: Record<string, string>): WebSocket => {
    const socket = new WebSocket(url, { headers });
    socket.addEventListener('message', ({ data }) => {
      if (String(data).includes('"type":"subscribed"')) following.resolve();
    });
    return socket;
  };
  const stop = new AbortController();
  const ended = hubctl(['tail', ...argv], {
    openSocket,
    ...options,
    stop: stop.signal,
    onWrite: (name, text) => {
      written[name] += text;
      look();
    },
  });
  const until = async (isThere: () => boolean): Promise<void> => {
    const there = new Promise<void>((seen) => watchers.push({ isThere, seen }));
    look();
    const early = await Promise.race([there, ended]);
    if (early && !isThere()) throw new Error(`tail ended with ${early.code}:\n${early.stdout}${early.stderr}`);
  };
  const lines = (): TailLine[] =>
    written.stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  return {
    written,
    /** Returns the JSON lines printed so far. */
    lines,
    until,
    /** Resolves once the first Hub is followed, so that changes are live. */
    follows: () => Promise.race([following.promise, ended]),
    /** Resolves once the output contains the text. */
    shows: (text: string, where: 'stdout' | 'stderr' = 'stdout') => until(() => written[where].includes(text)),
    /** Resolves once there are this many lines. */
    has: (count: number) => until(() => lines().length >= count),
    ended,
    stop: (): Promise<Ran> => {
      stop.abort();
      return ended;
    },
  };
}
