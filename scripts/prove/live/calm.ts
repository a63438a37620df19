import { type Crowd, isCaughtUp, until } from './crowd.ts';
import type { Latencies } from './latencies.ts';
import { LONG_NOTE_CHARACTERS, type Load } from './load.ts';
import type { Memory } from './memory.ts';

const WARM_UP_SECONDS = 3;
const ROUNDS = 3;
/**
 * The bytes of long notes per window: well above the 256 KiB that may be queued for one reader plus the kernel's
 * buffers of about 3 MiB.
 */
const WINDOW_BYTES = 8_000_000;
const BYTES_PER_SECOND = 1_500_000;
const COME_BACK_MS = 20_000;

export interface Window {
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
