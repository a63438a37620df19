import { readdirSync, readFileSync } from 'node:fs';

/** Uses strace to make system calls of a running process fail, from `begin` to `end`. */
export class FaultInjection {
  readonly #child: Bun.Subprocess<'ignore', 'ignore', 'pipe'>;
  #stderr = '';

  private constructor(pid: number, inject: string) {
    const calls = inject.split(':')[0];
    const options = ['-f', '-q', '-e', `trace=${calls}`, '-e', `inject=${inject}`, '-e', 'signal=none'];
    this.#child = Bun.spawn(['strace', ...options, '-o', '/dev/null', '-p', String(pid)], {
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'pipe',
    });
    process.on('exit', () => this.#child.kill('SIGKILL'));
    void this.#child.stderr.text().then((text) => {
      this.#stderr = text;
    });
  }

  /**
   * `inject` uses strace's syntax: `fdatasync:error=EIO:when=3+5`. Resolves once every thread of the process is traced.
   */
  static async begin(pid: number, inject: string): Promise<FaultInjection> {
    const injection = new FaultInjection(pid, inject);
    while (!isTraced(pid, injection.#child.pid)) {
      if (injection.#child.exitCode !== null) throw new Error(`strace ended: ${injection.#stderr}`);
      await Bun.sleep(5);
    }
    return injection;
  }

  /** Ends the injection, so that calls work normally again. */
  async end(): Promise<void> {
    this.#child.kill('SIGINT');
    await this.#child.exited;
  }
}

function isTraced(pid: number, by: number): boolean {
  return readdirSync(`/proc/${pid}/task`).every((task) =>
    readFileSync(`/proc/${pid}/task/${task}/status`, 'utf8').includes(`TracerPid:\t${by}\n`),
  );
}
