/**
 * Followers of a Hub in a process of their own: `bun live-followers.ts '<JSON of FollowPlan>'`. Prints `ready` once
 * all sockets follow the Hub. If the plan has a pace, it then posts and prints a FollowResult when every frame has
 * arrived; otherwise it follows until its standard input ends.
 */
import { LIVE_PATH } from '@hub/contract';
import { MARK, postPaced } from './live-posts.ts';
import type { LiveSeed } from './live-seed.ts';
import { quantile } from './statistics.ts';

export interface FollowPlan extends LiveSeed {
  port: number;
  sockets: number;
  keysFile: string;
  pace?: { ratePerSecond: number; seconds: number };
}

export interface FollowResult {
  frames: number;
  /** The number of frames for paced posts that were expected but never arrived. */
  missing: number;
  /** Connections that the server closed. */
  closed: number;
  /** Milliseconds from just before a post is sent until its frame arrives, across all sockets. */
  p50Ms: number;
  p99Ms: number;
  /** Milliseconds from just before a post is sent until the 201. */
  respondedP50Ms: number;
  respondedP99Ms: number;
}

/** How long to wait for the last frames. */
const LAST_FRAMES_MS = 3_000;

async function follow(plan: FollowPlan): Promise<FollowResult> {
  const posts = { sentAt: [] as number[], respondedMs: [] as number[] };
  const arrivedMs: number[] = [];
  let frames = 0;
  let closed = 0;
  const onFrame = ({ data }: MessageEvent): void => {
    frames += 1;
    if (!plan.pace) return;
    const now = performance.now();
    const text = data as string;
    const serial = Number.parseInt(text.slice(text.indexOf(MARK) + MARK.length, text.indexOf(MARK) + 10), 10);
    arrivedMs.push(now - (posts.sentAt[serial] ?? Number.NaN));
  };
  const sockets = await Promise.all(Array.from({ length: plan.sockets }, () => connect(plan)));
  for (const socket of sockets) {
    socket.onmessage = onFrame;
    socket.onclose = () => {
      closed += 1;
    };
  }
  console.log('ready');

  if (plan.pace) {
    await postPaced(plan, plan.pace, posts);
    const end = performance.now() + LAST_FRAMES_MS;
    while (frames < posts.sentAt.length * plan.sockets && performance.now() < end) await Bun.sleep(10);
  } else {
    await Bun.stdin.text();
  }
  const [arrived, responded] = [arrivedMs.sort((a, b) => a - b), posts.respondedMs.sort((a, b) => a - b)];
  return {
    frames,
    missing: plan.pace ? posts.sentAt.length * plan.sockets - frames : 0,
    closed,
    p50Ms: quantile(arrived, 0.5),
    p99Ms: quantile(arrived, 0.99),
    respondedP50Ms: quantile(responded, 0.5),
    respondedP99Ms: quantile(responded, 0.99),
  };
}

/** Resolves once the socket follows the Hub. */
function connect({ port, hubId, token }: FollowPlan): Promise<WebSocket> {
  const headers = { authorization: `Bearer ${token}` };
  // Bun's client accepts headers, which the standard types do not include.
  const socket = new WebSocket(`ws://127.0.0.1:${port}${LIVE_PATH}`, { headers } as unknown as string[]);
  socket.onopen = () => socket.send(JSON.stringify({ type: 'subscribe', hubId }));
  return new Promise((resolve, reject) => {
    socket.onmessage = ({ data }) => {
      if (String(data).startsWith('{"type":"subscribed"')) resolve(socket);
      else reject(new Error(`Not subscribed: ${data}`));
    };
    socket.onclose = ({ code, reason }) => reject(new Error(`Closed with ${code} ${reason}`));
  });
}

if (import.meta.main) {
  console.log(JSON.stringify(await follow(JSON.parse(Bun.argv[2] ?? '{}') as FollowPlan)));
  process.exit(0);
}
