interface ProgramOptions {
  readonly cwd?: string;
  /** The environment, in addition to PATH. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** By default, there is no standard input. */
  readonly stdin?: string | undefined;
}

/** Runs a program to its end, and returns its output and its exit code. */
export async function runProgram(argv: readonly string[], { cwd, env, stdin }: ProgramOptions = {}) {
  const child = Bun.spawn([...argv], {
    ...(cwd === undefined ? {} : { cwd }),
    env: { PATH: process.env.PATH, ...env },
    stdin: stdin === undefined ? 'ignore' : Buffer.from(stdin),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { stdout, stderr, code };
}
