import { readdirSync, readFileSync } from 'node:fs';

const LOOK_MS = 5;
/** The whole list is read less often, since reading it takes longer than reading one process. */
const LOOKS_PER_LIST = 5;

export interface SeenProcess {
  /** All argument lists that the process has had, since it might change its own title. */
  readonly cmdline: string;
  readonly environ: string;
  /** The arguments of every process on the machine while this process ran, as any user sees them. */
  readonly others: string;
}

/** Collects `/proc` data of a process while it runs, starting when `program` is among its arguments. */
export async function watchProcess(pid: number, program: string): Promise<SeenProcess> {
  const seen = { cmdline: new Set<string>(), environ: new Set<string>(), others: new Set<string>() };
  try {
    for (let look = 0; ; look += 1) {
      // The files of a zombie process are empty.
      const cmdline = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      if (cmdline === '' && seen.cmdline.size > 0) break;
      if (cmdline.includes(program)) {
        seen.cmdline.add(cmdline);
        seen.environ.add(readFileSync(`/proc/${pid}/environ`, 'utf8'));
      }
      if (look % LOOKS_PER_LIST === 0) for (const other of processList()) seen.others.add(other);
      await Bun.sleep(LOOK_MS);
    }
  } catch {
    // It has exited.
  }
  const joined = (texts: Set<string>): string => [...texts].join('\0');
  return { cmdline: joined(seen.cmdline), environ: joined(seen.environ), others: joined(seen.others) };
}

/** Returns the arguments of every process, as `ps` shows them. */
export function processList(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8')];
      } catch {
        return [];
      }
    });
}
