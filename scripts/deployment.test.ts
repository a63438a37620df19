import { afterAll, describe, expect, test } from 'bun:test';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { packageManager, scripts } from '../package.json';

const REPOSITORY = resolve(import.meta.dir, '..');
const read = (path: string) => readFileSync(join(REPOSITORY, path), 'utf8');
const UNIT = 'ops/systemd/hub.service';
const DOCKERFILE = 'ops/docker/Dockerfile';
const folder = mkdtempSync(join(tmpdir(), 'hub-deployment-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a start from a clone', () => {
  const clone = join(folder, 'clone');
  /** Runs `bun run start`, with a Bun that only prints what it is asked to run. */
  const start = async () => {
    mkdirSync(join(clone, 'scripts'), { recursive: true });
    writeFileSync(join(clone, 'package.json'), JSON.stringify({ name: 'hub', scripts }));
    copyFileSync(join(REPOSITORY, 'bunfig.toml'), join(clone, 'bunfig.toml'));
    const script = `#!/bin/sh\n[ "$1" = run ] && exec ${process.execPath} "$@"\necho "$*"\n`;
    writeFileSync(join(clone, 'scripts/bun'), script, { mode: 0o755 });
    const child = Bun.spawn([process.execPath, 'run', 'start'], {
      cwd: clone,
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    return { ran: stdout.trim().split('\n'), stderr, exitCode: await child.exited };
  };

  test('says on standard error what it installs and builds the first time, and nothing later', async () => {
    const first = await start();
    expect(first.stderr.split('\n')).toEqual([expect.stringMatching(/^Installing the/), 'Building the web app', '']);
    expect(first.ran).toEqual(['install --frozen-lockfile --silent', 'apps/web/build.ts', 'apps/api/src/main.ts']);
    for (const made of ['node_modules', 'apps/web/dist']) mkdirSync(join(clone, made), { recursive: true });
    expect(await start()).toMatchObject({ stderr: '', exitCode: 0 });
  });
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

  test('counts as started when the admin socket is there, and not before', async () => {
    writeFileSync(join(folder, 'sleep'), '#!/bin/sh\necho waiting\nexec /bin/sleep "$@"\n', { mode: 0o755 });
    const waiting = waitFor(process.pid);
    const { value } = await waiting.stdout.getReader().read();
    expect(new TextDecoder().decode(value)).toStartWith('waiting\n');
    expect(waiting.exitCode).toBeNull();
    const server = Bun.serve({ unix: join(folder, 'admin.sock'), fetch: () => new Response() });
    expect(await waiting.exited).toBe(0);
    await server.stop(true);
  });

  test('does not wait for a server that has ended', async () => {
    const ended = Bun.spawn(['true']);
    await ended.exited;
    rmSync(join(folder, 'admin.sock'), { force: true });
    expect(await waitFor(ended.pid).exited).toBe(0);
  });
});

describe('the Dockerfile', () => {
  const dockerfile = read(DOCKERFILE);

  test('uses the version of Bun that the repository uses, and no user with rights', () => {
    expect(dockerfile).toContain(`FROM oven/${packageManager.replace('@', ':')} AS build\n`);
    expect(/^USER (.*)$/m.exec(dockerfile)?.[1]).toBe('hub');
  });

  test('uses nothing that only BuildKit knows, and copies files that exist, with their permissions', () => {
    expect(dockerfile).not.toMatch(/--chmod|--mount|--link|<<|^# *syntax=/m);
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(\S+) \S+$/gm)].map(([, path = '']) => path);
    expect(copied).toContain('ops/docker/hubctl');
    for (const path of copied) expect(existsSync(join(REPOSITORY, path))).toBe(true);
    expect(statSync(join(REPOSITORY, 'ops/docker/hubctl')).mode & 0o111).toBe(0o111);
  });
});

test('the server in compose.yaml trusts Caddy, and only Caddy, and stops in peace', () => {
  const { services, networks } = Bun.YAML.parse(read('ops/docker/compose.yaml')) as {
    services: Record<'hub' | 'caddy', Service>;
    networks: { inside: { ipam: { config: { subnet: string }[] } } };
  };
  const { hub, caddy } = services;
  expect(hub.environment.HUB_TRUSTED_PROXIES).toBe(caddy.networks.inside.ipv4_address);
  const [{ subnet } = { subnet: '' }] = networks.inside.ipam.config;
  for (const { networks } of [hub, caddy]) {
    expect(networks.inside.ipv4_address).toStartWith(subnet.replace(/0\/24$/, ''));
  }
  const [caddyfile = ''] = caddy.volumes[0]?.split(':') ?? [];
  expect(existsSync(join(REPOSITORY, 'ops/docker', caddyfile))).toBe(true);
  for (const name of Object.keys(caddy.environment)) expect(read('ops/caddy/Caddyfile')).toContain(`{$${name}:`);
  expect(Number.parseInt(hub.stop_grace_period ?? '', 10)).toBeGreaterThan(8);
});

interface Service {
  readonly environment: Readonly<Record<string, string>>;
  readonly networks: { readonly inside: { readonly ipv4_address: string } };
  readonly volumes: readonly string[];
  readonly stop_grace_period?: string;
}
