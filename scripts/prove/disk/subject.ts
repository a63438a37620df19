import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import type { IssuedKey, Item } from '@hub/contract';
import { HubServer, type TokenUser, until, userWithToken } from '@hub/testkit';
import { inspectServer, noProblems, type Problems, RULES, type Rule } from '../kit/inspect-database.ts';
import { LiveReader } from '../kit/live-reader.ts';
import { createLedger, type PostLedger, type PostLoad, startPostLoad } from '../kit/post-load.ts';
import type { Proof } from '../kit/proof.ts';

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
/** Enough for an item in each list of each Hub. */
const FIRST_POSTS = 60;
/** How long posts arrive before anything goes wrong. */
const SETTLED_MS = 600;
const FOUND_MS = 20_000;
const RECOVERY_MS = 6_000;
const END_MS = 10_000;
/** The server's own time limit for searches, which have the lowest priority when the machine is busy. */
const READ_MS = 5_000;
const ARRIVAL_MS = 20_000;

interface Team {
  readonly ledger: PostLedger;
  /** A key that the load does not use. */
  readonly spareKey: IssuedKey;
  /** A member of all Hubs. */
  readonly user: TokenUser;
}

/** A server on a disk that is about to fail, with its senders and readers. */
export class Subject {
  load: PostLoad;
  #isNew = false;
  #isToEnd = false;
  #readers: Readers | undefined;

  private constructor(
    readonly server: HubServer,
    readonly team: Team,
    private readonly findings: Findings,
  ) {
    this.load = startPostLoad(team.ledger, server.port);
    this.#watchEnd();
  }

  /** Starts a server with Hubs, keys and a member of all Hubs. Resolves once it is under load. */
  static async begin(folder: string, findings: Findings, env: Readonly<Record<string, string>> = {}): Promise<Subject> {
    const server = await new HubServer(join(folder, 'data'), { env }).start();
    const { admin } = server;
    const hubIds = await admin.createHubs(HUBS);
    const ledger = createLedger(await admin.issueKeys(hubIds, KEYS));
    const spareKey = await admin.issueKey({ hubId: hubIds[0] ?? '', name: 'spare' });
    ledger.issued.add(spareKey.id);
    const user = await userWithToken(server, { name: 'Ada', hubIds });
    // Everything that is read later must have a result: the index may stop advancing once the disk is full. It does so
    // before the load, beside which the index has the least priority.
    await startPostLoad(ledger, server.port, { posts: FIRST_POSTS }).done();
    for (const path of readPaths(hubIds[0] ?? '')) {
      const hasItems = async () => itemsIn(await (await admin.raw('GET', path)).text()).length > 0;
      if (!(await until(FOUND_MS, hasItems))) throw new Error(`${path} has no items`);
    }
    const subject = new Subject(server, { ledger, spareKey, user }, findings);
    await Bun.sleep(SETTLED_MS);
    subject.#readers = new Readers(server, { token: user.token, hubIds, ledger });
    return subject;
  }

  /** Resolves with `null` once the server is ready, or with its exit code and last output if it fails to start. */
  async start(): Promise<string | null> {
    const started = await this.server.start().catch(() => null);
    const { process } = this.server;
    if (!started) return `${await process.ended()} ${process.stderr().trim()}`;
    this.#isToEnd = false;
    this.#watchEnd();
    this.#isNew = true;
    return null;
  }

  async startOrThrow(): Promise<void> {
    const error = await this.start();
    if (error !== null) throw new Error(error);
  }

  #watchEnd(): void {
    const { process } = this.server;
    void process.ended().then((code) => {
      if (!this.#isToEnd) this.findings.ends.push(`it ended by itself: ${code} ${process.stderr().slice(-500)}`);
    });
  }

  /** Starts another load. The keys have a limit per process. */
  loadOn(): void {
    this.load = startPostLoad(this.team.ledger, this.server.port, this.#isNew ? {} : { posts: this.load.left });
    this.#isNew = false;
  }

  /** Checks the recovery: posts are acknowledged again, and every reader has received all of them. */
  async recovered(): Promise<void> {
    if (this.load.left === 0) throw new Error('The load has used up its keys');
    this.findings.recoveriesMs.push(await this.load.untilAcknowledged(RECOVERY_MS));
    await this.load.stop();
    await this.#readers?.complete();
    await this.#endReaders();
  }

  /** Kills the server under load, without giving it a chance to clean up. */
  async kill(): Promise<void> {
    await this.#endReaders();
    this.#isToEnd = true;
    await this.server.kill();
    await this.load.stop();
  }

  async stop(): Promise<void> {
    await this.load.stop();
    await this.#endReaders();
    this.#isToEnd = true;
    const ended = await Promise.race([this.server.stop(), Bun.sleep(END_MS).then(() => 'late' as const)]);
    if (ended !== 0) this.findings.ends.push(`SIGTERM: ${ended} ${this.server.process.stderr().slice(-300)}`);
  }

  /** Compares the stored posts with every response. A server must be running. */
  async inspect(): Promise<void> {
    const { ledger } = this.team;
    await inspectServer(this.server, ledger, this.findings.database);
    using database = new Database(join(this.server.dataDir, 'hub.db'), { readonly: true });
    for (const [title, body] of database.query('select title, body from items').values()) {
      const text = [title, body].find((each) => typeof each === 'string' && ledger.rejected.has(each));
      if (text) this.findings.storedThoughRejected.push(String(text).slice(0, 40));
    }
  }

  /** Stops the server, and adds the results to the totals. The subject cannot be used afterwards. */
  async finish(): Promise<void> {
    await this.stop();
    const { unexpected, sent, acknowledged, rejected } = this.team.ledger;
    this.findings.responses.push(...unexpected);
    this.findings.sent += sent.size;
    this.findings.acknowledged += acknowledged.size;
    this.findings.rejected += rejected.size;
  }

  /** Signs in with the right password. */
  readonly signIn = (): Promise<Response> => {
    const { url } = this.server;
    const { email, password } = this.team.user.user;
    const headers = { 'content-type': 'application/json', origin: url };
    return fetch(`${url}/api/v1/session`, { method: 'POST', headers, body: JSON.stringify({ email, password }) });
  };

  async #endReaders(): Promise<void> {
    if (!this.#readers) return;
    await this.#readers.stop();
    this.findings.readers.push(...this.#readers.problems);
    this.findings.reads += this.#readers.reads;
    this.#readers = undefined;
  }
}

const readPaths = (hubId: string): string[] =>
  ['/search?q=Post'].concat(['messages', 'notes', 'todos'].map((kind) => `/hubs/${hubId}/${kind}`));

const itemsIn = (body: string): Item[] => (JSON.parse(body) as { items?: Item[] }).items ?? [];

/** Teammates who read lists, search and follow Hubs live, from construction until `stop`. */
class Readers {
  readonly problems: string[] = [];
  reads = 0;
  readonly #ledger: PostLedger;
  readonly #live: LiveReader;
  readonly #reading: Promise<void>;
  #isStopped = false;

  constructor(
    private readonly server: HubServer,
    { token, hubIds, ledger }: { token: string; hubIds: readonly string[]; ledger: PostLedger },
  ) {
    this.#ledger = ledger;
    const onEvent = ({ data }: { data: object }): void => this.#checkItems([data as Item]);
    this.#live = new LiveReader({ name: 'the live view', token, hubIds, ports: () => [server.port], onEvent });
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
    const { admin, url } = this.server;
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
