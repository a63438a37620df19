import { afterAll, describe, expect, test } from 'bun:test';
import { chownSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onlyOnPostgres } from '@hub/testkit/in-process/test-hub';
import { findPostgres, PostgresServer } from '@hub/testkit/postgres';
import { REPOSITORY, spawnServer } from '@hub/testkit/server-process';
import { testFolder } from '@hub/testkit/test-folder';
import { SQL } from 'bun';
import { packageManager, scripts } from '../package.json';

const read = (path: string) => readFileSync(join(REPOSITORY, path), 'utf8');
const UNIT = 'ops/systemd/hub.service';
const folder = testFolder('hub-deployment-');
afterAll(() => rmSync(folder, { recursive: true }));

test('bun run start says on standard error what it installs and builds the first time, and nothing later', async () => {
  const clone = join(folder, 'clone');
  mkdirSync(join(clone, 'scripts'), { recursive: true });
  writeFileSync(join(clone, 'package.json'), JSON.stringify({ name: 'hub', scripts }));
  copyFileSync(join(REPOSITORY, 'bunfig.toml'), join(clone, 'bunfig.toml'));
  // This Bun only prints what it is asked to run.
  const script = `#!/bin/sh\n[ "$1" = run ] && exec ${process.execPath} "$@"\necho "$*"\n`;
  writeFileSync(join(clone, 'scripts/bun'), script, { mode: 0o755 });
  const start = () => {
    const { stdout, stderr } = Bun.spawnSync([process.execPath, 'run', 'start'], { cwd: clone });
    return [String(stdout), String(stderr)];
  };
  const [ran, said] = start();
  expect(said).toMatch(/^Installing the.*\nBuilding the web app\n$/);
  expect(ran).toBe('install --frozen-lockfile --silent\napps/web/build.ts\napps/api/src/main.ts\n');
  for (const made of ['node_modules', 'apps/web/dist']) mkdirSync(join(clone, made), { recursive: true });
  expect(start()[1]).toBe('');
});

describe('the unit for systemd', () => {
  const unit = read(UNIT);
  const setting = (name: string) => new RegExp(`^${name}=-?(.*)$`, 'm').exec(unit)?.[1] ?? '';

  test.skipIf(!Bun.which('systemd-analyze'))('has an exposure of at most 2.5 of 10', () => {
    const { stdout } = Bun.spawnSync(['systemd-analyze', 'security', '--offline=true', join(REPOSITORY, UNIT)]);
    const exposure = /Overall exposure level for hub.service: ([\d.]+)/.exec(stdout.toString())?.[1];
    expect(Number(exposure ?? Number.NaN)).toBeLessThanOrEqual(2.5);
  });

  test('uses the account, the folders and the files that docs/operations.md creates', () => {
    const page = read('docs/operations.md');
    const dataDir = /^Environment=HUB_DATA_DIR=(.*)$/m.exec(unit)?.[1] ?? '';
    expect(dataDir).toBe(`/var/lib/${setting('StateDirectory')}`);
    expect(page).toContain(`useradd --system --home-dir ${dataDir} --shell /usr/sbin/nologin ${setting('User')}\n`);
    expect(page).toContain(`sudo tee ${setting('EnvironmentFile')}\n`);
    expect(setting('ExecStart')).toBe('/usr/local/bin/hub');
    expect(page).toContain('sudo install dist/hub dist/hubctl /usr/local/bin\n');
  });

  /** Runs the command that systemd waits for, with the variables that systemd sets. */
  const waitFor = (mainPid: number) => {
    const script = /-c '(.*)'$/.exec(setting('ExecStartPost'))?.[1] ?? '';
    const command = script.replaceAll(/(?<!\$)\$MAINPID/g, String(mainPid)).replaceAll('$$', '$');
    const env = { PATH: `${folder}:${process.env.PATH}`, HUB_DATA_DIR: folder };
    return Bun.spawn(['sh', '-c', command], { env, stdout: 'pipe' });
  };

  test('counts as started when the admin socket is there, and not before, and does not wait for an ended server', async () => {
    writeFileSync(join(folder, 'sleep'), '#!/bin/sh\necho waiting\nexec /bin/sleep "$@"\n', { mode: 0o755 });
    const waiting = waitFor(process.pid);
    const { value } = await waiting.stdout.getReader().read();
    expect(new TextDecoder().decode(value)).toStartWith('waiting\n');
    expect(waiting.exitCode).toBeNull();
    const server = Bun.serve({ unix: join(folder, 'admin.sock'), fetch: () => new Response() });
    expect(await waiting.exited).toBe(0);
    await server.stop(true);
    const ended = Bun.spawn(['true']);
    await ended.exited;
    rmSync(join(folder, 'admin.sock'), { force: true });
    expect(await waitFor(ended.pid).exited).toBe(0);
  });
});

test('the Dockerfile has the Bun of the repository, a user without rights, and files that exist; it needs no BuildKit', () => {
  const dockerfile = read('ops/docker/Dockerfile');
  expect(dockerfile).toContain(`ARG BUN_IMAGE=oven/${packageManager.replace('@', ':')}\n`);
  expect(dockerfile).toMatch(/^FROM \$\{BUN_IMAGE\} AS build$/m);
  expect(/^USER (.*)$/m.exec(dockerfile)?.[1]).toBe('hub');
  expect(dockerfile).not.toMatch(/--chmod|--mount|--link|<<|^# *syntax=/m);
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(\S+) \S+$/gm)].map(([, path = '']) => path);
  expect(copied).toContain('ops/docker/hubctl');
  for (const path of copied) expect(existsSync(join(REPOSITORY, path))).toBe(true);
  expect(statSync(join(REPOSITORY, 'ops/docker/hubctl')).mode & 0o111).toBe(0o111);
});

test('the server in compose.yaml trusts Caddy, and only Caddy, and stops in peace', () => {
  const { services, networks } = Bun.YAML.parse(read('ops/docker/compose.yaml')) as {
    services: Record<'hub' | 'caddy', Service>;
    networks: { inside: { ipam: { config: [{ subnet: string }] } } };
  };
  const { hub, caddy } = services;
  expect(hub.environment.HUB_TRUSTED_PROXIES).toBe(caddy.networks.inside.ipv4_address);
  const [{ subnet }] = networks.inside.ipam.config;
  for (const { networks } of [hub, caddy])
    expect(networks.inside.ipv4_address).toStartWith(subnet.replace(/0\/24$/, ''));
  const [caddyfile = ''] = caddy.volumes[0]?.split(':') ?? [];
  expect(existsSync(join(REPOSITORY, 'ops/docker', caddyfile))).toBe(true);
  for (const name of Object.keys(caddy.environment)) expect(read('ops/caddy/Caddyfile')).toContain(`{$${name}:`);
  expect(Number.parseInt(hub.stop_grace_period ?? '', 10)).toBeGreaterThan(8);
});

describe('the database of compose.nodes.yaml', () => {
  const { services } = Bun.YAML.parse(read('ops/docker/compose.nodes.yaml')) as {
    services: Record<'node-1' | 'database' | 'database-certificate', Service>;
  };
  const databaseFiles = join(REPOSITORY, 'ops/docker/database');

  test('has a certificate for its name, and the nodes verify it', () => {
    const [script, ca, key, name] = services['database-certificate'].entrypoint ?? [];
    const { volumes } = services['database-certificate'];
    expect(volumes).toEqual([`./database/certificates.sh:${script}:ro`, `database-ca:${ca}`, `database-key:${key}`]);
    for (const volume of volumes.concat(services.database.volumes)) {
      const [path = ''] = volume.split(':');
      if (path.startsWith('.')) expect(existsSync(join(REPOSITORY, 'ops/docker', path))).toBe(true);
    }
    const url = new URL(services['node-1'].environment.HUB_DATABASE_URL?.replace(/\$\{[^}]*\}/, 'x') ?? '');
    expect(url.hostname).toBe(name ?? '');
    expect(url.searchParams.get('sslmode')).toBe('verify-full');
    const mounted = services['node-1'].volumes.find((volume) => volume.startsWith('database-ca:'));
    expect(mounted).toBe(`database-ca:${dirname(url.searchParams.get('sslrootcert') ?? '')}:ro`);
  });

  onlyOnPostgres.test(
    'lets a node in over TLS only, with a role that owns its database and may do nothing else',
    async () => {
      const POSTGRES_PASSWORD = "it's $ecret";
      const postgres = await PostgresServer.start({ user: 'postgres' });
      const keyFolder = join(postgres.dataDir, 'key');
      const run = (script: string, args: string[], env: Record<string, string> = {}) => {
        const PATH = `${findPostgres()}:${process.env.PATH}`;
        const command = ['sh', join(databaseFiles, script), ...args];
        const { exitCode, stderr } = Bun.spawnSync(command, { env: { PATH, ...env }, stderr: 'pipe' });
        if (exitCode !== 0) throw new Error(stderr.toString());
      };
      mkdirSync(keyFolder);
      run('certificates.sh', [folder, keyFolder, 'localhost']);
      const ca = readFileSync(join(folder, 'ca.pem'), 'utf8');
      run('certificates.sh', [folder, keyFolder, 'localhost']);
      expect(readFileSync(join(folder, 'ca.pem'), 'utf8')).toBe(ca);
      const { uid, gid } = statSync(postgres.dataDir);
      chownSync(keyFolder, uid, gid);
      expect(statSync(join(keyFolder, 'server.key')).mode & 0o777).toBe(0o600);

      const PGPORT = String(postgres.port);
      const PGDATA = postgres.dataDir;
      run('role.sh', [], { PGHOST: '127.0.0.1', PGPORT, PGDATA, POSTGRES_USER: 'postgres', POSTGRES_PASSWORD });
      const settings = (services.database.command ?? []).slice(1).map((flag) => flag.slice('-c'.length).split('='));
      await postgres.reconfigure(
        Object.fromEntries(settings.map(([name, value]) => [name, value?.replace('/key', keyFolder)])),
      );
      await postgres.restart();

      const address = `hub:${encodeURIComponent(POSTGRES_PASSWORD)}@localhost:${PGPORT}/hub`;
      const HUB_DATABASE_URL = `postgres://${address}?sslmode=verify-full&sslrootcert=${folder}/ca.pem`;
      await using node = spawnServer({ env: { HUB_DATABASE_URL } });
      await node.serving();
      await node.admin.createHub('Releases');

      await using hub = new SQL(HUB_DATABASE_URL, { max: 1 });
      const [role] = await hub`SELECT rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls FROM pg_roles
        WHERE rolname = current_user`;
      expect(Object.values(role)).toEqual([false, false, false, false, false]);
      const [{ version }] = await hub`SELECT DISTINCT version FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
        WHERE usename = 'hub'`;
      expect(version).toBe('TLSv1.3');
      await expect(hub`CREATE DATABASE other`.execute()).rejects.toThrow('permission denied');

      const failure = async (url: string) => {
        await using client = new SQL(url, { max: 1 });
        return await client`SELECT 1`.execute().then(String, ({ message }: Error) => message);
      };
      expect(await failure(`postgres://${address}`)).toContain('no encryption');
      expect(await failure(`postgres://${address}?sslmode=verify-full`)).toContain('unable to verify');
      expect(await failure(HUB_DATABASE_URL.replace('hub:', 'postgres:'))).toContain('no pg_hba.conf entry');
      expect(await failure(HUB_DATABASE_URL.replace('/hub?', '/postgres?'))).toContain('no pg_hba.conf entry');
      node.kill('SIGTERM');
      await node.ended();
      await postgres.dispose();
    },
  );
});

test.skipIf(!Bun.which('promtool'))('the alert rules fire when they should, and not otherwise', () => {
  const rules = join(REPOSITORY, 'ops/prometheus/alerts.test.yml');
  const { stdout, exitCode } = Bun.spawnSync(['promtool', 'test', 'rules', rules]);
  expect([stdout.toString().trim().split('\n').at(-1)?.trim(), exitCode]).toEqual(['SUCCESS', 0]);
});

interface Service {
  readonly environment: Readonly<Record<string, string>>;
  readonly networks: { readonly inside: { readonly ipv4_address: string } };
  readonly volumes: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly stop_grace_period?: string;
}
