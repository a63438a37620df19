import type { Proof } from '@hub/testkit';
import { noProblems, type Problems, RULES, type Rule } from '@hub/testkit';

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

  report({ check, report }: Proof, where: string): void {
    const none = (what: string, problems: readonly string[]): void =>
      check(`${where}: ${what}`, problems.length === 0, [...new Set(problems)].slice(0, 3).join('; '));
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
