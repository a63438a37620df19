import { readFileSync } from 'node:fs';
import type { Clock, SinceBoot } from '../ports.ts';

/** The system clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  sinceBoot: readSinceBoot,
};

/** Returns null except on Linux, which identifies each boot and counts the time since (random(4), proc_uptime(5)). */
function readSinceBoot(): SinceBoot | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const seconds = Number.parseFloat(readFileSync('/proc/uptime', 'utf8'));
    return boot !== '' && Number.isFinite(seconds) ? { boot, ms: Math.round(seconds * 1000) } : null;
  } catch {
    return null;
  }
}
