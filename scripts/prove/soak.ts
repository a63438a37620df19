/**
 * Proves that the server does not degrade over time, with posts at a steady rate, many live followers, and users who
 * read and write. Its memory, open files and log must not grow, posts must be as fast at the end as at the start, and
 * every follower must receive everything once and in order.
 *
 * The long form: `--minutes 60`. `--rate` is posts per second, `--sockets` the number of followers, `--people` user
 * actions per second.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createTeam, HubServer, PacedLoad, type Proof, runProof, type Team } from '@hub/testkit';
import { until } from './live/crowd.ts';
import { checkQuarters, type Quarter } from './soak/check.ts';
import { Follower, type FollowerRecords } from './soak/follower.ts';
import { Sampler } from './soak/samples.ts';
import { Users } from './soak/users.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '0.2' },
    rate: { type: 'string', default: '200' },
    sockets: { type: 'string', default: '200' },
    users: { type: 'string', default: '10' },
  },
});
const [minutes, rate, sockets, users] = [values.minutes, values.rate, values.sockets, values.users].map(Number) as [
  number,
  number,
  number,
  number,
];

/** A key can post 60 times per minute. */
const KEYS_PER_HUB = Math.ceil((rate * (60 / 40)) / 4);
const PARTS = 30;
const SETTLE_MS = 20_000;
/** The time to wait for surplus frames after the last expected one. */
const STRAY_MS = 300;

await runProof({ limitSeconds: 60 + minutes * 66 }, async (proof) => {
  proof.report(`${minutes} min, ${rate} posts/s, ${sockets} sockets, ${users} user actions a second`);
  const run = new HubServer(join(proof.folder, 'data'));
  await run.start();
  const team = await createTeam(run, KEYS_PER_HUB, 0);
  const records: FollowerRecords = { frames: 0, lostConnections: 0, problems: [] };
  const followers = follow(run, team, records);
  const areFollowing = await until(SETTLE_MS, () => followers.every(({ isFollowing }) => isFollowing));
  proof.check('every socket follows its Hub', areFollowing);

  const keysFile = join(proof.folder, 'keys.txt');
  writeFileSync(keysFile, team.keys.map(({ key }) => key).join('\n'), { mode: 0o600 });
  const load = await PacedLoad.start({ port: run.port, keysFile, name: 'Soak' });
  const busy = new Users({ url: run.url, team, random: Math.random });
  const sampler = new Sampler(run);
  await load.begin(rate);
  busy.start(users);
  const quarters: Quarter[] = [];
  for (let number = 0; number < 4; number += 1) {
    const latenciesMs = await load.during(async () => {
      for (let part = 0; part < PARTS; part += 1) {
        await Bun.sleep((minutes * 60_000) / 4 / PARTS);
        // Acknowledged posts are transferred in parts: an hour's worth would be a single message of tens of megabytes.
        await load.count();
      }
    });
    quarters.push({ samples: sampler.take(), latenciesMs });
  }
  sampler.stop();
  await busy.stop();
  await load.stop();

  checkQuarters(proof, quarters, minutes * 60);
  proof.check('no post was rejected', load.unexpected.length === 0, load.unexpected[0]);
  proof.check(
    'no user request was rejected',
    busy.rejected.length === 0,
    `${busy.done} done; ${busy.rejected[0] ?? ''}`,
  );
  await checkFollowers(proof, { run, team, followers, records, created: [...load.acknowledged, ...busy.createdIds] });
  proof.check('the server logged no problems', run.complaints === '', run.complaints.slice(0, 500));
  proof.check('the server finally exits with 0', (await run.stop()) === 0);
});

function follow({ port }: HubServer, { hubIds, users: team }: Team, records: FollowerRecords): Follower[] {
  return Array.from({ length: sockets }, (_, n) => {
    const [hubId, member] = [hubIds[n % hubIds.length] ?? '', team[n % team.length]];
    const keepsItems = n < hubIds.length;
    return new Follower({ name: `socket ${n}`, port, token: member?.token ?? '', hubId, records, keepsItems });
  });
}

interface Checked {
  run: HubServer;
  team: Team;
  followers: readonly Follower[];
  records: FollowerRecords;
  created: readonly string[];
}

async function checkFollowers(proof: Proof, { run, team, followers, records, created }: Checked): Promise<void> {
  const newest = new Map<string, number>();
  for (const hubId of team.hubIds) {
    newest.set(hubId, (await run.admin.call<{ seq: number }>('GET', `/hubs/${hubId}`)).seq);
  }
  const hasAll = (follower: Follower): boolean => follower.seq >= (newest.get(follower.hubId) ?? 0);
  await until(SETTLE_MS, () => followers.every(hasAll));
  await Bun.sleep(STRAY_MS);
  const behind = followers.filter((follower) => follower.seq !== newest.get(follower.hubId)).length;
  const notified = new Set(followers.flatMap(({ createdIds }) => [...createdIds]));
  const missing = created.filter((id) => !notified.has(id));
  for (const follower of followers) follower.stop();
  proof.report(`${records.frames} events arrived at ${followers.length} sockets`);
  proof.check(
    'each socket received every event once and in order',
    records.problems.length === 0,
    records.problems.slice(0, 3).join('; '),
  );
  proof.check('and of all events up to the newest', behind === 0, `${behind} were not`);
  proof.check(
    'every post that returned 201 arrived',
    missing.length === 0,
    `${created.length} items, ${missing.length} missing`,
  );
  proof.check('the server closed no connection', records.lostConnections === 0, `${records.lostConnections}`);
}
