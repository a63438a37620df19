import { expect, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { balance, startOutboxTrial } from '@hub/testkit/cli/outbox-trial';

/** `OUTBOX_TRIAL_POSTS=10000 bun test apps/cli/src/commands/post/outbox-kills.test.ts` runs the long form. */
const POSTS = Number(process.env.OUTBOX_TRIAL_POSTS ?? 25);
const SEED = Number(process.env.OUTBOX_TRIAL_SEED ?? 1);
const SENDERS = 3;
const MAX_RUN_MS = 200;
const MAX_MARK_MS = 12;

test(
  `loses and doubles nothing in ${POSTS} posts while hubctl and the server are killed at random moments`,
  async () => {
    await using trial = await startOutboxTrial(POSTS, SEED);
    const { random, hubctl } = trial;
    mkdirSync(trial.outbox, { mode: 0o700 });
    const running = new Map<number, ReturnType<typeof hubctl>>();
    const stopWatching = trial.watchMarks((pid) => {
      const victim = random();
      // A kill shortly after a mark hits the moments around the request.
      if (victim < 0.3) setTimeout(() => running.get(pid)?.kill('SIGKILL'), random() * MAX_MARK_MS);
      else if (victim < 0.33) setTimeout(trial.killServer, random() * MAX_MARK_MS);
    });
    /** The texts that hubctl has reported as posted or kept, or that were seen in its outbox. */
    const responsible = new Set<string>();
    let next = 0;
    let kills = 0;
    const sender = async (): Promise<void> => {
      for (let post = next++; post < POSTS; post = next++) {
        const text = `post ${post}`;
        const child = hubctl(trial.keyOf(post), 'post', text);
        running.set(child.pid, child);
        if (random() < 0.2) setTimeout(() => child.kill('SIGKILL'), random() * MAX_RUN_MS);
        const code = await child.exited;
        running.delete(child.pid);
        if (child.signalCode !== null) kills += 1;
        if (code === 0) responsible.add(text);
        for (const seen of trial.kept().keys()) responsible.add(seen);
      }
    };
    await Promise.all(Array.from({ length: SENDERS }, sender));
    stopWatching();
    await trial.serves();
    for (const key of trial.keys) expect(await hubctl(key, 'outbox', 'flush').exited).toBe(0);

    const arrived = await trial.arrived();
    const uncertain = [...trial.kept()];
    expect(balance(responsible, arrived, trial.kept())).toEqual({ lost: [], doubled: [] });
    expect(uncertain.filter(([, states]) => String(states) !== 'uncertain')).toEqual([]);
    expect(kills).toBeGreaterThan(POSTS / 10);
    const both = uncertain.filter(([text]) => arrived.has(text)).length;
    console.log(
      `${POSTS} posts, ${kills} kills of hubctl: ${arrived.size} arrived, ${uncertain.length} uncertain (${both} of ` +
        `them arrived), ${POSTS - responsible.size} killed before they were kept`,
    );

    // The count can fail: a post that is sent again is doubled, and one that is dropped is lost.
    const [sent = ''] = [...arrived.keys()];
    expect(await hubctl(trial.keyOf(0), 'post', sent).exited).toBe(0);
    expect(await hubctl(trial.keyOf(0), 'post', 'dropped', '--url', 'http://127.0.0.1:9').exited).toBe(0);
    expect(await hubctl('', 'outbox', 'drop', '--all', '--yes').exited).toBe(0);
    const failing = balance(new Set([...arrived.keys(), 'dropped']), await trial.arrived(), trial.kept());
    expect(failing).toEqual({ lost: ['dropped'], doubled: [sent] });
  },
  POSTS > 1000 ? 24 * 3_600_000 : 180_000,
);
