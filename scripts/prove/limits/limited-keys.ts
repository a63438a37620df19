import { randomInt } from 'node:crypto';
import { type ManualClockServer, RequestLoad, sendEach, shuffle, type TimedResponse } from '@hub/testkit';
import { anyKind, type Kind, limitIn, MESSAGE, PUBLISHED, Rule, WRONG_RULES } from './rate-limit-rule.ts';

const HUBS = 10;
/** The number of keys whose responses are also compared with the wrong rules. */
const PROBES = 40;

interface LimitedKey {
  readonly key: string;
  readonly rule: Rule;
  /** The wrong rules that no response for this key has contradicted so far. */
  readonly wrong: Map<string, Rule>;
}

interface Sent {
  readonly owner: LimitedKey;
  readonly kind: Kind;
}

/** The keys of a server with a stopped clock, and their expected state according to the published rule. */
export class LimitedKeys {
  readonly problems: string[] = [];
  readonly contradicted = new Set<string>();
  responses = 0;
  passed = 0;
  readonly #server: ManualClockServer;
  readonly #load = new RequestLoad();
  readonly #keys: readonly LimitedKey[];

  private constructor(server: ManualClockServer, keys: readonly string[]) {
    this.#server = server;
    this.#keys = keys.map((key, n) => ({
      key,
      rule: new Rule(PUBLISHED),
      wrong: new Map(n < PROBES ? Object.entries(WRONG_RULES).map(([name, rule]) => [name, new Rule(rule)]) : []),
    }));
  }

  static async issue(server: ManualClockServer, count: number): Promise<LimitedKeys> {
    const { admin } = server;
    const issued = await admin.issueKeys(await admin.createHubs(HUBS), count, ['messages:create']);
    return new LimitedKeys(
      server,
      issued.map(({ key }) => key),
    );
  }

  close(): void {
    this.#load.close();
  }

  get size(): number {
    return this.#keys.length;
  }

  /** Returns the remaining milliseconds of each blocked key. */
  get blocksLeft(): number[] {
    return this.#keys.map(({ rule }) => rule.blockLeft(this.#server.nowMs)).filter((left) => left > 0);
  }

  /** Applies a server restart to the rules: blocks survive it, windows do not. */
  serverWasStarted(): void {
    for (const { rule, wrong } of this.#keys) {
      for (const each of [rule, ...wrong.values()]) each.forgetWindow();
    }
  }

  /**
   * Sends this many requests with each key at a single instant of the server's clock, over all connections and in
   * random order.
   */
  async send(count: (n: number) => number): Promise<void> {
    const sent: Sent[] = this.#keys.flatMap((owner, n) =>
      Array.from({ length: count(n) }, () => ({ owner, kind: anyKind(Math.random) })),
    );
    const indexes = shuffle(Array.from(sent.keys()), Math.random);
    const order = indexes.map((index) => sent[index] as Sent);
    const outcomes = new Map<LimitedKey, string[]>();
    const requests = order.map(({ owner, kind }) => ({ request: kind.request(owner.key) }));
    const responses = await this.#load.send(this.#server.port, requests);
    for (const [index, { owner, kind }] of order.entries()) {
      const seen = limitIn((responses[index] as TimedResponse).response, kind);
      outcomes.set(owner, [...(outcomes.get(owner) ?? []), seen]);
    }
    for (const [owner, responses] of outcomes) this.#check(owner, responses);
  }

  /**
   * Sends one request per key, and runs `end` after some of the responses. Returns the keys that were blocked according
   * to their response.
   */
  async sendUntilEnd(end: () => Promise<unknown>): Promise<boolean[]> {
    const notified = this.#keys.map(() => false);
    const requests = this.#keys.map(({ key }) => MESSAGE.request(key));
    let left = randomInt(this.#keys.length);
    let ending: Promise<unknown> | undefined;
    await sendEach(this.#server.port, requests, (response, n) => {
      notified[n] = limitIn(response, MESSAGE).startsWith('refused');
      left -= 1;
      if (left < 0) ending ??= end();
    });
    await ending;
    return notified;
  }

  /** Sends one request per key and returns the responses without comparing them with the rule. */
  async ask(): Promise<string[]> {
    const outcomes: string[] = [];
    await sendEach(
      this.#server.port,
      this.#keys.map(({ key }) => MESSAGE.request(key)),
      (response, n) => {
        outcomes[n] = limitIn(response, MESSAGE);
      },
    );
    return outcomes;
  }

  /** Compares the outcomes regardless of their order, since the order of requests at the same instant is unknown. */
  #check({ rule, wrong }: LimitedKey, responses: string[]): void {
    const now = this.#server.nowMs;
    const seen = responses.sort().join('\n');
    const expected = (rule: Rule): string[] => responses.map(() => rule.check(now)).sort();
    const due = expected(rule);
    if (seen !== due.join('\n')) {
      const different = responses.findIndex((response, index) => response !== due[index]);
      this.problems.push(
        `${responses.length} requests at once: "${responses[different]}" in place of "${due[different]}"`,
      );
    }
    for (const [name, each] of wrong) {
      if (expected(each).join('\n') === seen) continue;
      this.contradicted.add(name);
      wrong.delete(name);
    }
    this.responses += responses.length;
    this.passed += responses.filter((response) => response.startsWith('passed')).length;
  }
}
