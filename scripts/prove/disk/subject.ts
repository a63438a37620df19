import { Database } from 'bun:sqlite';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { IssuedKey, Item } from '@hub/contract';
import {
  type Admin,
  compareKeys,
  createLedger,
  inspectDatabase,
  LiveReader,
  noProblems,
  type PostLedger,
  PostLoad,
  type Problems,
  type Proof,
  RULES,
  type Rule,
  type ServerProcess,
  spawnServer,
  stopServer,
  type TokenUser,
  until,
  userWithToken,
} from '@hub/testkit';

/** The problems found in all rounds, by rule, and the measurements. */
export class Findings {
  readonly database: Problems = noProblems();
  /** Posts that are stored although the response said they were not. */
  readonly storedThoughRejected: string[] = [];
  readonly responses: string[] = [];
  readonly readers: string[] = [];
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
      `${where}: ${this.sent} posts sent, ${this.acknowledged} acknowledged, ${this.rejected} rejected; ${this.reads} reads`,
    );
    none('every rejected post is a 503 with the four fields, in time', this.responses);
    none('nothing that was rejected is stored', this.storedThoughRejected);
    for (const rule of Object.keys(RULES) as Rule[]) none(RULES[rule], this.database[rule]);
    none('lists, search and live views go on, and show nothing that was rejected', this.readers);
    none('the server stops with 0, and starts or says what to do', this.ends);
    if (this.recoveriesMs.length === 0) return;
    const slowestMs = Math.max(...this.recoveriesMs);
    check(`${where}: posts are accepted again within 5 s`, slowestMs < 5_000, `${slowestMs.toFixed(0)} ms at most`);
  }
}

const [KEYS, HUBS] = [150, 10];
/** How long posts arrive before anything goes wrong, so that every list and the search have something to show. */
const SETTLED_MS = 600;
const FOUND_MS = 20_000;
const RECOVERY_MS = 6_000;
const END_MS = 10_000;
/** The server's own time limit for searches, which have the lowest priority when the machine is busy. */
const READ_MS = 5_000;
const ARRIVAL_MS = 3_000;

interface Running {
  readonly server: ServerProcess;
  readonly url: string;
  readonly port: number;
  readonly admin: Admin;
}

/** A server on a disk that is about to fail, with its senders and readers. */
export class Subject {
  readonly dataDir: string;
  readonly #findings: Findings;
  readonly #env: Readonly<Record<string, string>>;
  #running: Running | undefined;
  #team: { readonly ledger: PostLedger; readonly spareKey: IssuedKey; readonly user: TokenUser } | undefined;
  #load: PostLoad | undefined;
  #isToEnd = false;
  #readers: Readers | undefined;

  constructor(folder: string, findings: Findings, env: Readonly<Record<string, string>> = {}) {
    this.dataDir = join(folder, 'data');
    this.#findings = findings;
    this.#env = env;
    mkdirSync(this.dataDir);
  }

  get running(): Running {
    return this.#running ?? missing('server');
  }

  /** The ledger, a key that the load does not use, and a member of all Hubs. */
  get team() {
    return this.#team ?? missing('team');
  }

  get load(): PostLoad {
    return this.#load ?? missing('load');
  }

  /** Starts the server for the first time, with Hubs, keys and a member of all Hubs. Resolves once it is under load. */
  async begin(): Promise<void> {
    await this.startOrThrow();
    const { admin, url } = this.running;
    const hubIds = await admin.createHubs(HUBS);
    const ledger = createLedger(await admin.issueKeys(hubIds, KEYS));
    const spareKey = await admin.issueKey({ hubId: hubIds[0] ?? '', name: 'spare' });
    ledger.issued.add(spareKey.id);
    const user = await userWithToken({ admin, url }, { name: 'Ada', hubIds });
    this.#team = { ledger, spareKey, user };
    this.loadOn();
    await Bun.sleep(SETTLED_MS);
    // Everything that is read later must have a result: the index may stop advancing once the disk is full.
    for (const path of readPaths(hubIds[0] ?? '')) {
      const hasItems = async () => itemsIn(await (await admin.raw('GET', path)).text()).length > 0;
      if (!(await until(FOUND_MS, hasItems))) throw new Error(`${path} has no items`);
    }
    this.#readers = new Readers(this.running, { token: user.token, hubIds, ledger });
  }

  /** Resolves with `null` once the server is ready, or with its exit code and last output if it fails to start. */
  async start(): Promise<string | null> {
    const server = spawnServer({ dataDir: this.dataDir, env: { HUB_LOG_LEVEL: 'warn', ...this.#env } });
    const serving = await Promise.race([server.serving(), server.ended()]);
    if (serving === null || typeof serving === 'number') return `${serving} ${server.stderr().trim()}`;
    this.#load = undefined;
    this.#isToEnd = false;
    void server.ended().then((code) => {
      if (!this.#isToEnd) this.#findings.ends.push(`it ended by itself: ${code} ${server.stderr().slice(-500)}`);
    });
    this.#running = { server, url: serving.url, port: serving.port, admin: server.admin };
    return null;
  }

  async startOrThrow(): Promise<void> {
    const error = await this.start();
    if (error !== null) throw new Error(error);
  }

  loadOn(): void {
    this.#load = new PostLoad(this.team.ledger, this.running.port, this.#load && { posts: this.#load.left });
  }

  /** Checks the recovery: posts are acknowledged again, and every reader has received all of them. */
  async recovered(): Promise<void> {
    if (this.load.left === 0) throw new Error('The load has used up its keys');
    this.#findings.recoveriesMs.push(await this.load.untilAcknowledged(RECOVERY_MS));
    await this.load.stop();
    await this.#readers?.complete();
    await this.#endReaders();
  }

  /** Kills the server under load, without giving it a chance to clean up. */
  async kill(): Promise<void> {
    await this.#endReaders();
    this.#isToEnd = true;
    await stopServer(this.running.server, 'SIGKILL');
    await this.load.stop();
  }

  async stop(): Promise<void> {
    await this.#load?.stop();
    await this.#endReaders();
    const { server } = this.running;
    this.#isToEnd = true;
    const ended = await Promise.race([stopServer(server), Bun.sleep(END_MS).then(() => 'late' as const)]);
    if (ended !== 0) this.#findings.ends.push(`SIGTERM: ${ended} ${server.stderr().slice(-300)}`);
  }

  /** Compares the stored posts with every response. A server must be running. */
  async inspect(): Promise<void> {
    const { ledger } = this.team;
    const keys = await this.running.admin.all('GET /keys');
    const { items } = inspectDatabase(this.dataDir, ledger, this.#findings.database);
    compareKeys(keys, items, ledger, this.#findings.database);
    using database = new Database(join(this.dataDir, 'hub.db'), { readonly: true });
    for (const [title, body] of database.query('select title, body from items').values()) {
      const text = [title, body].find((each) => typeof each === 'string' && ledger.rejected.has(each));
      if (text) this.#findings.storedThoughRejected.push(String(text).slice(0, 40));
    }
  }

  /** Adds the results of this subject to the totals. The subject cannot be used afterwards. */
  close(): void {
    const { unexpected, sent, acknowledged, rejected } = this.team.ledger;
    this.#findings.responses.push(...unexpected);
    this.#findings.sent += sent.size;
    this.#findings.acknowledged += acknowledged.size;
    this.#findings.rejected += rejected.size;
  }

  /** Signs in with the right password. */
  readonly signIn = (): Promise<Response> => {
    const { url } = this.running;
    const { email, password } = this.team.user.user;
    const headers = { 'content-type': 'application/json', origin: url };
    return fetch(`${url}/api/v1/session`, { method: 'POST', headers, body: JSON.stringify({ email, password }) });
  };

  async #endReaders(): Promise<void> {
    if (!this.#readers) return;
    await this.#readers.stop();
    this.#findings.readers.push(...this.#readers.problems);
    this.#findings.reads += this.#readers.reads;
    this.#readers = undefined;
  }
}

function missing(what: string): never {
  throw new Error(`There is no ${what} yet`);
}

const readPaths = (hubId: string): string[] => [
  '/search?q=Post',
  ...['messages', 'notes', 'todos'].map((kind) => `/hubs/${hubId}/${kind}`),
];

const itemsIn = (body: string): Item[] => (JSON.parse(body) as { items?: Item[] }).items ?? [];

/** Teammates who read lists, search and follow Hubs live, from construction until `stop`. */
class Readers {
  readonly problems: string[] = [];
  reads = 0;
  readonly #running: Running;
  readonly #ledger: PostLedger;
  readonly #live: LiveReader;
  readonly #reading: Promise<void>;
  #isStopped = false;

  constructor(running: Running, options: { token: string; hubIds: readonly string[]; ledger: PostLedger }) {
    const { token, hubIds, ledger } = options;
    this.#running = running;
    this.#ledger = ledger;
    const onEvent = ({ data }: { data: object }): void => this.#checkItems([data as Item]);
    this.#live = new LiveReader({ name: 'the live view', token, hubIds, ports: () => [running.port], onEvent });
    this.#reading = this.#read(['/hubs', '/keys', ...readPaths(hubIds[0] ?? '')]);
  }

  /** Waits until everything acknowledged has arrived, or the time for that has run out. */
  async complete(): Promise<void> {
    const missing = (): string[] =>
      [...this.#ledger.acknowledged.keys()].filter((id) => !this.#live.createdIds.has(id));
    if (await until(ARRIVAL_MS, () => missing().length === 0)) return;
    this.problems.push(`${missing().length} acknowledged posts did not arrive live, such as ${missing()[0]}`);
  }

  /** Stops the readers. Call this before the server stops. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#live.stop();
    this.problems.push(...this.#live.problems);
    if (this.#live.counts.closedByServer > 0) this.problems.push('the live view was closed');
    await this.#reading;
  }

  #checkItems(items: readonly Item[]): void {
    for (const item of items) {
      const text = item.kind === 'message' ? item.text : item.kind === 'note' ? item.content : item.title;
      if (text && this.#ledger.rejected.has(text)) this.problems.push(`${item.id} is shown, and was rejected`);
    }
  }

  async #read(paths: readonly string[]): Promise<void> {
    const { admin, url } = this.#running;
    for (let turn = 0; !this.#isStopped; turn += 1) {
      const path = paths[turn % paths.length] ?? '';
      const body = await this.#expect(path, () => admin.raw('GET', path));
      if (body !== null && itemsIn(body).length === 0) this.problems.push(`${path} shows nothing`);
      if (body !== null) this.#checkItems(itemsIn(body));
      await this.#expect('/readyz', () => fetch(`${url}/readyz`));
      await Bun.sleep(10);
    }
  }

  async #expect(path: string, ask: () => Promise<Response>): Promise<string | null> {
    const late = Bun.sleep(READ_MS).then(() => 'late');
    const response = await Promise.race([ask().catch(String), late]);
    if (this.#isStopped) return null;
    this.reads += 1;
    if (response instanceof Response && response.status === 200) return response.text();
    const shown =
      response instanceof Response ? `${response.status} ${(await response.text()).slice(0, 200)}` : response;
    this.problems.push(`${path}: ${shown}`);
    return null;
  }
}
