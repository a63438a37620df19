import { type HubServer, type Proof, quantile, until } from '@hub/testkit';
import { type Crowd, isCaughtUp, STALLED } from './crowd.ts';
import type { Latencies } from './latencies.ts';
import { LONG_NOTE_CHARACTERS, type Load } from './load.ts';

const WARM_UP_SECONDS = 3;
const ROUNDS = 3;
/**
 * The bytes of long notes per window: well above the 2 MiB that may be queued for one reader plus the kernel's buffers
 * of about 3 MiB.
 */
const WINDOW_BYTES = 8_000_000;
const BYTES_PER_SECOND = 1_500_000;
const COME_BACK_MS = 20_000;

interface Window {
  readonly isStalled: boolean;
  /** Milliseconds from sending a post to its arrival at each socket that reads it. */
  readonly latenciesMs: readonly number[];
  /** The server's peak memory, in MiB. */
  readonly peakMiB: number;
  /** Bytes of long notes that one reader received, or did not receive because it stalled. */
  readonly longBytes: number;
  /** Milliseconds from when the stalled readers resumed until every reader had received everything. */
  readonly comeBackMs: number;
  readonly isBack: boolean;
}

interface CalmDeps {
  crowd: Crowd;
  load: Load;
  latencies: Latencies;
  memory: Memory;
}

/**
 * Runs windows with the same load, alternating between none and ten stalled readers, so that other load on the machine
 * affects both kinds.
 */
export async function calm(deps: CalmDeps, seconds: number): Promise<Window[]> {
  const windowSeconds = seconds / (ROUNDS * 2);
  const bytes = Math.max(WINDOW_BYTES, BYTES_PER_SECOND * windowSeconds);
  const perSecond = bytes / LONG_NOTE_CHARACTERS / windowSeconds;
  await deps.load.longNotes(perSecond, WARM_UP_SECONDS);
  const windows: Window[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    windows.push(await measure(deps, false, { perSecond, windowSeconds }));
    windows.push(await measure(deps, true, { perSecond, windowSeconds }));
  }
  return windows;
}

async function measure(
  { crowd, load, latencies, memory }: CalmDeps,
  isStalled: boolean,
  { perSecond, windowSeconds }: { perSecond: number; windowSeconds: number },
): Promise<Window> {
  if (isStalled) await Promise.all(crowd.stalling.map((reader) => reader.stall()));
  memory.takePeak();
  latencies.begin();
  await load.longNotes(perSecond, windowSeconds);
  const latenciesMs = latencies.end();
  const peakMiB = memory.takePeak();

  const start = performance.now();
  if (isStalled) for (const reader of crowd.stalling) reader.comeBack();
  const newest = crowd.newest();
  const isBack = await until(COME_BACK_MS, () => crowd.readers.every((reader) => isCaughtUp(reader, newest)));
  const comeBackMs = performance.now() - start;
  return {
    isStalled,
    latenciesMs,
    peakMiB,
    longBytes: perSecond * windowSeconds * LONG_NOTE_CHARACTERS,
    comeBackMs,
    isBack,
  };
}

const MIB = 2 ** 20;
/**
 * The permitted backlog of each stalled reader (docs/live.md), plus one long note that arrived just before the limit
 * was reached.
 */
const WAITING_MIB = (STALLED * (2 * 1024 * 1024 + 100_000)) / MIB;
/** The runtime frees memory at its own pace: under a steady load, memory varies by about this much between windows. */
const WOBBLE_MIB = 48;
/**
 * The memory growth in the first minute, to about 300 MiB. After that, memory stays the same no matter how long the
 * windows are.
 */
const WARMING_MIB = 96;
/**
 * Allows for noise on two cores that the clients and the server share. A reader that held up others would delay them by
 * seconds.
 */
const SAME = {
  p50: { share: 0.5, times: 2, ms: 3 },
  p99: { share: 0.99, times: 3, ms: 100 },
} as const;

interface CalmFigures {
  windows: readonly Window[];
  /** Connections that the server closed because nobody read from them. */
  givenUp: number;
  sockets: number;
  /** The server's memory: before there were followers, with all of them, and after the windows. */
  startMiB: number;
  followedMiB: number;
  endMiB: number;
}

/** Checks the phase without cuts: what ten stalled readers cost the other readers and the server. */
export function checkCalm(proof: Proof, figures: CalmFigures): void {
  const reading = figures.windows.filter(({ isStalled }) => !isStalled);
  const stalled = figures.windows.filter(({ isStalled }) => isStalled);
  checkLatency(proof, reading, stalled);
  const due = STALLED * stalled.length;
  proof.check('clients that do not read are disconnected', figures.givenUp === due, `${figures.givenUp} of ${due}`);
  const backMs = stalled.map(({ comeBackMs }) => comeBackMs.toFixed(0)).join(', ');
  const isBack = stalled.every((window) => window.isBack);
  proof.check('they reconnect and receive everything', isBack, `within ${backMs} ms after reading again`);
  checkMemory(proof, figures, reading, stalled);
}

function checkLatency(proof: Proof, reading: readonly Window[], stalled: readonly Window[]): void {
  for (const [name, { share, times, ms }] of Object.entries(SAME)) {
    const [without, beside] = [reading, stalled].map((windows) => windows.map((w) => quantile(w.latenciesMs, share)));
    const format = (of: readonly number[] = []): string => of.map((value) => value.toFixed(1)).join(', ');
    proof.report(
      `from a post to a socket, ${name} in ms: ${format(without)}; while ${STALLED} stall: ${format(beside)}`,
    );
    // Other load makes a window slower, never faster, so the best one represents the server.
    const [best, stalledBest] = [Math.min(...(without ?? [])), Math.min(...(beside ?? []))];
    const most = Math.max(best * times, best + ms);
    const detail = `${stalledBest.toFixed(1)} ms, where ${best.toFixed(1)} ms and so at most ${most.toFixed(1)} ms are the same`;
    proof.check(`the ${name} of others is the same while ${STALLED} stall`, stalledBest <= most, detail);
  }
}

function checkMemory(
  proof: Proof,
  { sockets, startMiB, followedMiB, endMiB, windows }: CalmFigures,
  reading: readonly Window[],
  stalled: readonly Window[],
): void {
  const perSocketKiB = ((followedMiB - startMiB) * 1024) / sockets;
  const peaks = windows.map(({ peakMiB }) => peakMiB.toFixed(0)).join(', ');
  proof.report(
    `memory of the server: ${startMiB.toFixed(0)} MiB at the start, ${followedMiB.toFixed(0)} with all sockets`,
  );
  proof.report(
    `(${perSocketKiB.toFixed(0)} KiB each), at most ${peaks} in the windows, ${endMiB.toFixed(0)} after them`,
  );
  const [without, beside, last] = [reading[0], stalled[0], stalled.at(-1)].map((window) => window?.peakMiB ?? 0) as [
    number,
    number,
    number,
  ];
  const unbounded = (STALLED * (stalled[0]?.longBytes ?? 0)) / MIB;
  // A longer window creates more load, so memory varies more.
  const most = without + WAITING_MIB + Math.max(WOBBLE_MIB, unbounded / 3);
  const detail = `${beside.toFixed(0)} of at most ${most.toFixed(0)} MiB; with no limit on what waits it would be ${unbounded.toFixed(0)} more`;
  proof.check('stalled readers use no more memory than their permitted backlog', beside <= most, detail);
  const change = `${beside.toFixed(0)} MiB at first, ${last.toFixed(0)} MiB in the end`;
  proof.check('memory is flat from one round to the next', last <= beside + WARMING_MIB, change);
}

const SAMPLE_MS = 100;

/** The memory of the server's process. */
export class Memory {
  readonly #run: HubServer;
  #peak = 0;
  readonly #timer: Timer;

  constructor(run: HubServer) {
    this.#run = run;
    this.#timer = setInterval(() => {
      if (!run.isRestarting) this.#peak = Math.max(this.#peak, run.residentMiB);
    }, SAMPLE_MS);
  }

  now(): number {
    return this.#run.residentMiB;
  }

  /** Returns the peak since the last call, in MiB. */
  takePeak(): number {
    const peak = Math.max(this.#peak, this.#run.residentMiB);
    this.#peak = 0;
    return peak;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
