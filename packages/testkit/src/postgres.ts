import { appendFileSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { SQL } from 'bun';
import { freePort } from './server.ts';

/** Settings in the format of `postgresql.conf`, such as `{ fsync: 'off' }`. */
type Settings = Readonly<Record<string, string>>;

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
  readonly #programs = findPostgres();
  readonly #folder = mkdtempSync(join(tmpdir(), 'hub-postgres-'));
  readonly #user = unprivilegedUser();
  #databases = 0;

  private constructor() {
    if (this.#user) chownSync(this.#folder, this.#user.uid, this.#user.gid);
  }

  /** Creates a new cluster with this superuser and starts it. Throws if PostgreSQL is not installed. */
  static async start({ settings = {} as Settings, user = 'hub' } = {}): Promise<PostgresServer> {
    const server = new PostgresServer();
    const flags = ['--auth', 'trust', '--username', user, '--encoding', 'UTF8', '--locale', 'C.UTF-8', '--no-sync'];
    // A copy of another cluster would be faster, but have its system identifier, by which Hub tells databases apart.
    await server.run('initdb', [...flags, '--pgdata', server.dataDir]);
    return server.#startWith({ listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings });
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
    if (this.#programs === null) throw new Error('PostgreSQL is not installed, or not in PATH');
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
    const standby = new PostgresServer();
    const primary = `host=127.0.0.1 port=${primaryPort} user=hub application_name=${name}`;
    const flags = ['--write-recovery-conf', '--checkpoint=fast', '--no-sync'];
    await this.run('pg_basebackup', ['--pgdata', standby.dataDir, '--dbname', primary, ...flags]);
    return standby.#startWith({});
  }

  /** Adds settings and makes the running server use them. */
  async reconfigure(settings: Settings): Promise<void> {
    this.#configure(settings);
    await this.run('pg_ctl', ['reload', '--silent', '--pgdata', this.dataDir]);
  }

  /** Makes a standby a primary. */
  promote(): Promise<void> {
    return this.run('pg_ctl', ['promote', '--wait', '--silent', '--pgdata', this.dataDir]);
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

  async #startWith(settings: Settings): Promise<this> {
    // The last line of a setting counts.
    this.#configure({ port: String(this.port), ...settings });
    this.#endWithUs();
    await this.restart();
    return this;
  }

  /** Adds settings, which apply from the next start or reload. */
  #configure(settings: Settings): void {
    const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
    appendFileSync(join(this.dataDir, 'postgresql.conf'), lines.join(''));
  }

  async #end(mode: 'fast' | 'immediate'): Promise<void> {
    if (!existsSync(this.#pidFile)) return;
    await this.run('pg_ctl', ['stop', '--wait', '--silent', '--mode', mode, '--pgdata', this.dataDir]);
  }
}

/**
 * PostgreSQL refuses to run as root, which therefore runs it as the user that its packages create, or as `nobody`.
 * `undefined`: it can run as the current user.
 */
function unprivilegedUser() {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8');
  const find = (name: string) => new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(users);
  const account = find('postgres') ?? find('nobody');
  if (!account) throw new Error('PostgreSQL cannot run as root, and there is no user postgres or nobody');
  return { uid: Number(account[1]), gid: Number(account[2]) };
}
