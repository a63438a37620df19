import { type Crowd, isCaughtUp, until } from './crowd.ts';
import type { Latencies } from './latencies.ts';
import { LONG_NOTE_CHARACTERS, type Load } from './load.ts';
import type { Memory } from './memory.ts';

const WARM_UP_SECONDS = 3;
const ROUNDS = 3;
/** Long notes of a window: well above the 256 KiB that may wait for one reader and what the kernel takes besides, some 3 MiB. */
const WINDOW_BYTES = 8_000_000;
const BYTES_PER_SECOND = 1_500_000;
const COME_BACK_MS = 20_000;

export interface Window {
  readonly isStalled: boolean;
  /** From a post to each socket that reads, in milliseconds. */
  readonly latenciesMs: readonly number[];
  /** The most that the server had of the memory, in MiB. */
  readonly peakMiB: number;
  /** Bytes that one reader of the long notes got, or did not get because it stalled. */
  readonly longBytes: number;
  /** Milliseconds until the stalled readers had received everything. */
  readonly comeBackMs: number;
  readonly isBack: boolean;
}

interface CalmDeps {
  crowd: Crowd;
  load: Load;
  latencies: Latencies;
  memory: Memory;
}

/** Windows of the same load, in turn without and with ten readers that do not read: whatever else slows the machine slows both. */
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
