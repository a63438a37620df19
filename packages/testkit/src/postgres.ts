import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { SQL } from 'bun';
import { freePort } from './server.ts';

/** PostgreSQL refuses to run as root, so root runs it as this user, which its packages create, or as `nobody`. */
const UNPRIVILEGED_USERS = ['postgres', 'nobody'];

const CPU_PERIOD_US = 100_000;

interface PostgresOptions {
  /** Settings in the format of `postgresql.conf`, such as `{ fsync: 'off' }`. */
  settings?: Readonly<Record<string, string>>;
  /** The superuser. */
  user?: string;
}

/**
 * Returns the folder with PostgreSQL's programs: of the first `initdb` in PATH, or else the newest version that Debian
 * has installed. `null` if there is none.
 */
export function findPostgres(path = process.env.PATH ?? ''): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  const newestFirst = versions.toSorted((one, other) => Number(other) - Number(one));
  const folders = [...path.split(delimiter), ...newestFirst.map((version) => join(debian, version, 'bin'))];
  return folders.find((folder) => existsSync(join(folder, 'initdb'))) ?? null;
}

/** A real PostgreSQL on a loopback port, with its data in a temporary folder. */
export class PostgresServer {
  readonly port = freePort();
  readonly #programs: string;
  readonly #folder: string;
  readonly #user = unprivilegedUser();
  #databases = 0;

  private constructor(programs: string, folder: string) {
    this.#programs = programs;
    this.#folder = folder;
  }

  /** Creates a new cluster and starts it. Throws if PostgreSQL is not installed. */
  static async start({ settings = {}, user = 'hub' }: PostgresOptions = {}): Promise<PostgresServer> {
    const server = PostgresServer.#create();
    await server.#initialize(settings, user);
    server.#endWithUs();
    await server.restart();
    return server;
  }

  static #create(): PostgresServer {
    const programs = findPostgres();
    if (programs === null) throw new Error('PostgreSQL is not installed, or not in PATH');
    const folder = mkdtempSync(join(tmpdir(), 'hub-postgres-'));
    const server = new PostgresServer(programs, folder);
    if (server.#user) chownSync(folder, server.#user.uid, server.#user.gid);
    return server;
  }

  /** The folder of the cluster. */
  get dataDir(): string {
    return join(this.#folder, 'data');
  }

  /** The process ID of the postmaster. */
  get pid(): number {
    return Number(readFileSync(this.#pidFile, 'utf8').split('\n')[0]);
  }

  /** The address of a database of this server. */
  url(database = 'postgres'): string {
    return `postgres://hub@127.0.0.1:${this.port}/${database}`;
  }

  /** Creates an empty database, and returns its address. */
  async createDatabase(name = `hub_${++this.#databases}`): Promise<string> {
    await using client = new SQL(this.url(), { max: 1 });
    await client.unsafe(`CREATE DATABASE "${name}" TEMPLATE template0`);
    return this.url(name);
  }

  /** Starts the server, and resolves once it accepts connections. Stops it first if it runs. */
  async restart(): Promise<void> {
    await this.stop();
    const log = join(this.#folder, 'log');
    await this.run('pg_ctl', ['start', '--wait', '--silent', '--pgdata', this.dataDir, '--log', log]);
  }

  /** Stops the server in an orderly way. Does nothing if it does not run. */
  stop(): Promise<void> {
    return this.#end('fast');
  }

  /** Ends the server without a checkpoint, as after a power failure: its next start recovers from the log. */
  crash(): Promise<void> {
    return this.#end('immediate');
  }

  /** Runs one of PostgreSQL's programs, such as `pg_dump`, in the folder of this server. */
  async run(program: string, args: readonly string[]): Promise<void> {
    const io = { stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' } as const;
    const path = join(this.#programs, program);
    const child = Bun.spawn([existsSync(path) ? path : program, ...args], { cwd: this.#folder, ...this.#user, ...io });
    const [code, problem] = await Promise.all([child.exited, new Response(child.stderr).text()]);
    if (code === 0) return;
    const log = existsSync(join(this.#folder, 'log')) ? `\n${this.log}` : '';
    throw new Error(`${program} ${args.join(' ')} failed (${child.signalCode ?? code}): ${problem}${log}`);
  }

  /**
   * Starts a standby that follows this server with streaming replication, which it reaches by `primaryPort`. `name` is
   * for `synchronous_standby_names`.
   */
  async startStandby(name: string, primaryPort = this.port): Promise<PostgresServer> {
    const standby = PostgresServer.#create();
    const primary = `host=127.0.0.1 port=${primaryPort} user=hub application_name=${name}`;
    const flags = ['--write-recovery-conf', '--checkpoint=fast', '--no-sync'];
    await this.run('pg_basebackup', ['--pgdata', standby.dataDir, '--dbname', primary, ...flags]);
    // The last line of a setting counts.
    standby.#configure({ port: String(standby.port) });
    standby.#endWithUs();
    await standby.restart();
    return standby;
  }

  /** Adds settings and makes the running server use them. */
  async reconfigure(settings: Readonly<Record<string, string>>): Promise<void> {
    this.#configure(settings);
    await this.run('pg_ctl', ['reload', '--silent', '--pgdata', this.dataDir]);
  }

  /** Makes a standby a primary. */
  promote(): Promise<void> {
    return this.run('pg_ctl', ['promote', '--wait', '--silent', '--pgdata', this.dataDir]);
  }

  /**
   * Limits the processor time of all its processes to this part of a core, until the returned function is called.
   * Returns `null` if this account may not create a control group.
   */
  limitCores(cores: number): (() => void) | null {
    const { pid } = this;
    const path = (root: string, file: string): string => join(root, `hub-postgres-${pid}`, file);
    const quota = String(CPU_PERIOD_US * cores);
    const [root, file, limit] = existsSync('/sys/fs/cgroup/cgroup.controllers')
      ? ['/sys/fs/cgroup', 'cpu.max', `${quota} ${CPU_PERIOD_US}`]
      : ['/sys/fs/cgroup/cpu', 'cpu.cfs_quota_us', quota];
    try {
      mkdirSync(path(root, '.'));
      writeFileSync(path(root, file), limit);
    } catch {
      return null;
    }
    const move = (group: string): void => {
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
      // New processes are in the group of the one that starts them.
      for (const each of [String(pid), ...children])
        try {
          writeFileSync(group, each);
        } catch {
          // It has ended in the meantime.
        }
    };
    move(path(root, 'cgroup.procs'));
    return () => {
      writeFileSync(path(root, file), file === 'cpu.max' ? 'max' : '-1');
      move(join(root, 'cgroup.procs'));
      rmdirSync(path(root, '.'));
    };
  }

  /** Returns what the server has logged so far. */
  get log(): string {
    return readFileSync(join(this.#folder, 'log'), 'utf8');
  }

  /** Ends the server and removes its data. */
  async dispose(): Promise<void> {
    await this.crash();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /**
   * The server is a daemon, so it would outlive a process that does not dispose of it: one that is killed, or a test
   * runner, which calls no listeners when it exits. The shell waits until this process closes the pipe.
   */
  #endWithUs(): void {
    const script = 'read _; kill -QUIT "$(head -n 1 "$0/data/postmaster.pid")"; sleep 1; rm -rf "$0"';
    const io = { stdin: 'pipe', stdout: 'ignore', stderr: 'ignore' } as const;
    Bun.spawn(['sh', '-c', script, this.#folder], { cwd: '/', ...io }).unref();
  }

  get #pidFile(): string {
    return join(this.dataDir, 'postmaster.pid');
  }

  async #initialize(settings: Readonly<Record<string, string>>, user: string): Promise<void> {
    const all = { port: String(this.port), listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings };
    const flags = ['--auth', 'trust', '--username', user, '--encoding', 'UTF8', '--locale', 'C.UTF-8', '--no-sync'];
    await this.run('initdb', [...flags, '--pgdata', this.dataDir]);
    this.#configure(all);
  }

  /** Adds settings, which apply from the next start or reload. */
  #configure(settings: Readonly<Record<string, string>>): void {
    const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
    appendFileSync(join(this.dataDir, 'postgresql.conf'), lines.join(''));
  }

  async #end(mode: 'fast' | 'immediate'): Promise<void> {
    if (!existsSync(this.#pidFile)) return;
    await this.run('pg_ctl', ['stop', '--wait', '--silent', '--mode', mode, '--pgdata', this.dataDir]);
  }
}

/** Returns the user as whom PostgreSQL has to run; `undefined` if it can run as the current one. */
function unprivilegedUser() {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const account = UNPRIVILEGED_USERS.map((name) => users.find((user) => user[0] === name)).find((user) => user);
  if (!account) throw new Error('PostgreSQL cannot run as root, and there is no user postgres or nobody');
  return { uid: Number(account[2]), gid: Number(account[3]) };
}
