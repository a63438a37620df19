import { Database } from 'bun:sqlite';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { IssuedKey } from '@hub/contract';
import {
  type Admin,
  compareKeys,
  createUser,
  inspectDatabase,
  noProblems,
  type Problems,
  type Proof,
  RULES,
  type Rule,
  type ServerProcess,
  spawnServer,
  stopServer,
  type TestUser,
  until,
} from '@hub/testkit';
import { type DiskLedger, Load, newLedger, POSTS_PER_KEY } from './load.ts';
import { Readers } from './readers.ts';

/** The problems found in all rounds, by rule, and the measurements. */
export class Findings {
  readonly database: Problems = noProblems();
  /** Posts that are stored although the response said they were not. */
  readonly storedThoughRejected: string[] = [];
  readonly responses: string[] = [];
  readonly readers: string[] = [];
  readonly blocks: string[] = [];
  readonly ends: string[] = [];
  readonly recoveriesMs: number[] = [];
  sent = 0;
  acknowledged = 0;
  rejected = 0;
  reads = 0;

  report({ check, none: noneOf, report }: Proof, where: string): void {
    const none = (what: string, problems: readonly string[]): void =>
      noneOf(`${where}: ${what}`, [...new Set(problems)]);
    report(
      `${where}: ${this.sent} posts sent, ${this.acknowledged} acknowledged, ${this.rejected} refused; ${this.reads} reads meanwhile`,
    );
    none('every rejected post is a 503 with the four fields, in time', this.responses);
    none('nothing that was refused is stored', this.storedThoughRejected);
    for (const rule of Object.keys(RULES) as Rule[]) none(RULES[rule], this.database[rule]);
    none('lists, search and live views go on, and show nothing that was refused', this.readers);
    none('a key that has to be blocked is, and stays so over a restart', this.blocks);
    none('the server is stopped with 0, and starts or says what to do', this.ends);
    const slowestMs = Math.max(...this.recoveriesMs);
    if (this.recoveriesMs.length === 0) return;
    check(
      `${where}: posts are accepted again within 5 s`,
      slowestMs < 5_000,
      `${slowestMs.toFixed(0)} ms at most of ${this.recoveriesMs.length}`,
    );
  }
}

const KEYS = 150;
/** How long posts arrive before anything goes wrong, so that every list and the search have something to show. */
const SETTLED_MS = 600;
const FOUND_MS = 20_000;
const RECOVERY_MS = 6_000;
const END_MS = 10_000;

interface SubjectOptions {
  readonly findings: Findings;
  readonly env?: Record<string, string>;
}

interface Team {
  readonly ledger: DiskLedger;
  /** A key that the load does not use. */
  readonly spareKey: IssuedKey;
  readonly user: TestUser;
}

interface Running {
  readonly server: ServerProcess;
  readonly url: string;
  readonly admin: Admin;
}

/** A server on a disk that is about to fail, with its senders and readers. */
export class Subject {
  readonly dataDir: string;
  readonly #options: SubjectOptions;
  #running: Running | undefined;
  #team: Team | undefined;
  #load: Load | undefined;
  #isToEnd = false;
  /** The number of posts that the load can still send to the running server. */
  #budget = { left: 0 };
  #readers: Readers | undefined;

  constructor(folder: string, options: SubjectOptions) {
    this.dataDir = join(folder, 'data');
    this.#options = options;
    mkdirSync(this.dataDir);
  }

  get running(): Running {
    if (!this.#running) throw new Error('No server is running');
    return this.#running;
  }

  get team(): Team {
    if (!this.#team) throw new Error('There is no team yet');
    return this.#team;
  }

  get load(): Load {
    if (!this.#load) throw new Error('There is no load');
    return this.#load;
  }

  /** Starts the server for the first time, with Hubs, keys and a member of all Hubs. Resolves once it is under load. */
  async begin(): Promise<void> {
    await this.startOrThrow();
    const { admin, url } = this.running;
    const ledger = await newLedger(admin, KEYS);
    const hubIds = [...new Set(ledger.keys.map(({ hubId }) => hubId))];
    const spareKey = await admin.issueKey({ hubId: hubIds[0] ?? '', name: 'spare' });
    ledger.issued.add(spareKey.id);
    const user = await createUser({ admin, url }, { name: 'Ada', hubIds });
    this.#team = { ledger, spareKey, user };
    this.loadOn();
    await Bun.sleep(SETTLED_MS);
    await this.#untilFound(hubIds[0] ?? '');
    this.#readers = new Readers({ admin, url, token: user.token, hubIds, ledger });
  }

  /** Resolves with `null` once the server is ready, or with its last output if it fails to start. */
  async start(): Promise<string | null> {
    const server = spawnServer({ dataDir: this.dataDir, env: { HUB_LOG_LEVEL: 'warn', ...this.#options.env } });
    const serving = await Promise.race([server.serving(), server.ended()]);
    if (serving === null || typeof serving === 'number') return `${serving} ${server.stderr().trim()}`;
    this.#budget = { left: KEYS * POSTS_PER_KEY };
    this.#isToEnd = false;
    void server.ended().then((code) => {
      if (!this.#isToEnd)
        this.#options.findings.ends.push(`it ended by itself: ${code} ${server.stderr().slice(-500)}`);
    });
    this.#running = { server, url: serving.url, admin: server.admin };
    return null;
  }

  async startOrThrow(): Promise<void> {
    const error = await this.start();
    if (error !== null) throw new Error(error);
  }

  loadOn(): void {
    this.#load = new Load(this.team.ledger, Number(new URL(this.running.url).port), this.#budget);
  }

  /** Checks the recovery: posts are acknowledged again, and every reader has received all of them. */
  async recovered(): Promise<void> {
    const { findings } = this.#options;
    if (this.#budget.left === 0) throw new Error('The load has used up its keys');
    findings.recoveriesMs.push(await this.load.untilAcknowledged(RECOVERY_MS));
    await this.load.stop();
    await this.#readers?.stop();
    this.#noteReaders();
  }

  /** Kills the server under load, without giving it a chance to clean up. */
  async kill(): Promise<void> {
    await this.#readers?.interrupted();
    this.#isToEnd = true;
    await stopServer(this.running.server, 'SIGKILL');
    await this.load.stop();
    this.#noteReaders();
  }

  async stop(): Promise<void> {
    await this.load.stop();
    await this.#readers?.interrupted();
    this.#noteReaders();
    const { server } = this.running;
    this.#isToEnd = true;
    const ended = await Promise.race([stopServer(server), Bun.sleep(END_MS).then(() => 'late' as const)]);
    if (ended !== 0) this.#options.findings.ends.push(`SIGTERM: ${ended} ${server.stderr().slice(-300)}`);
  }

  /** Compares the stored posts with every response. A server must be running. */
  async inspect(): Promise<void> {
    const { findings } = this.#options;
    const { ledger } = this.team;
    const keys = await this.running.admin.allKeys();
    const { items } = inspectDatabase(this.dataDir, ledger, findings.database);
    compareKeys(keys, items, ledger, findings.database);
    using database = new Database(join(this.dataDir, 'hub.db'), { readonly: true });
    for (const [title, body] of database.query('select title, body from items').values()) {
      const text = [title, body].find((each) => typeof each === 'string' && ledger.rejected.has(each));
      if (text) findings.storedThoughRejected.push(String(text).slice(0, 40));
    }
  }

  /** Adds the results of this subject to the totals. The subject cannot be used afterwards. */
  close(): void {
    const { findings } = this.#options;
    const { ledger } = this.team;
    findings.responses.push(...ledger.unexpected);
    findings.sent += ledger.sent.size;
    findings.acknowledged += ledger.acknowledged.size;
    findings.rejected += ledger.rejected.size;
  }

  /** Signs in with the right password. */
  readonly signIn = (): Promise<Response> => {
    const { url } = this.running;
    const { email, password } = this.team.user;
    const headers = { 'content-type': 'application/json', origin: url };
    return fetch(`${url}/api/v1/session`, { method: 'POST', headers, body: JSON.stringify({ email, password }) });
  };

  /**
   * Waits until everything that the readers read has a result: the index may stop advancing once the disk is full. The
   * search thread has the lowest priority, so on a busy machine the first search can take longer than it may.
   */
  async #untilFound(hubId: string): Promise<void> {
    const lists = ['messages', 'notes', 'todos'].map((kind) => `/hubs/${hubId}/${kind}`);
    for (const path of ['/search?q=Post', ...lists]) {
      if (!(await until(FOUND_MS, () => this.#hasItems(path)))) throw new Error(`${path} has no items`);
    }
  }

  async #hasItems(path: string): Promise<boolean> {
    const response = await this.running.admin.raw('GET', path);
    return response.ok && ((await response.json()) as { items: unknown[] }).items.length > 0;
  }

  #noteReaders(): void {
    if (!this.#readers) return;
    this.#options.findings.readers.push(...this.#readers.problems);
    this.#options.findings.reads += this.#readers.reads;
    this.#readers = undefined;
  }
}
