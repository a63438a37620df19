import { afterAll, expect, test } from 'bun:test';
import { readdirSync, statSync } from 'node:fs';
import { startScriptedServer } from '@hub/testkit/scripted-server';
import { temporaryFolder } from '@hub/testkit/test-folder';
import { errorOf, type RunOptions, runHubctl } from '../../../test/run-hubctl.ts';
import { fileName } from './export.ts';

const ID = 'hub_01KA3T8Q6V5M0G7ZB4W2N9RXEC';
const DOCUMENT = '{"hub":{"name":"Grüße \u202e"},"messages":[]}\n';

/** Returns the response to the next export. */
let response: () => Response;
const server = startScriptedServer(({ url }) =>
  /\/(export|archive)$/.test(url) ? response() : Response.json({ id: ID, name: 'Night shift!', deletedAt: null }),
);
afterAll(() => server.stop());

const hubctl = (argv: string[], options: RunOptions = {}) =>
  runHubctl(['hubs', 'export', ID, ...argv], { ...options, env: { HUB_ADMIN_SOCKET: server.socketPath } });

/** Returns a response with these chunks; `null` interrupts it. */
const inPieces =
  (...pieces: (string | null)[]) =>
  () => {
    const rest = [...pieces];
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      const piece = rest.shift();
      if (piece === undefined) controller.close();
      else if (piece === null) controller.error(new Error('broken'));
      else controller.enqueue(Buffer.from(piece));
    };
    return new Response(new ReadableStream({ pull }));
  };

test('writes the export byte for byte to a file that only its owner can read, and prints the size', async () => {
  using folder = temporaryFolder();
  response = inPieces(DOCUMENT.slice(0, 20), DOCUMENT.slice(20));
  const ran = await hubctl([folder.file('out.json'), '--json']);
  const bytes = Buffer.byteLength(DOCUMENT);
  expect(ran.json()).toEqual({ hubId: ID, file: folder.file('out.json'), bytes });
  expect(await Bun.file(folder.file('out.json')).text()).toBe(DOCUMENT);
  expect(statSync(folder.file('out.json')).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder.path)).toEqual(['out.json']);
});

test.each<[what: string, pieces: (string | null)[]]>([
  ['is interrupted', [DOCUMENT.slice(0, 20), null]],
  ['ends too soon', [DOCUMENT.slice(0, 20)]],
  ['is empty', []],
])('keeps the existing file and leaves no temporary file if the response %s', async (_, pieces) => {
  using folder = temporaryFolder();
  await Bun.write(folder.file('out.json'), 'mine');
  response = inPieces(...pieces);
  const ran = await hubctl([folder.file('out.json'), '--force', '--json']);
  expect(errorOf(ran)).toMatchObject({ code: 'unreachable', exitCode: 3 });
  expect(readdirSync(folder.path)).toEqual(['out.json']);
  expect(await Bun.file(folder.file('out.json')).text()).toBe('mine');
});

test('with --files writes the archive, unless that is cut short', async () => {
  using folder = temporaryFolder();
  const zip = `PK\x03\x04 files PK\x05\x06${'\0'.repeat(18)}`;
  const path = folder.file('out.zip');
  response = inPieces(zip.slice(0, 15), zip.slice(15, 25), zip.slice(25));
  expect((await hubctl([path, '--files', '--json'])).json()).toMatchObject({ file: path, bytes: zip.length });
  expect(await Bun.file(path).text()).toBe(zip);
  for (const cut of [zip.slice(0, -1), 'PK']) {
    response = inPieces(cut);
    expect(errorOf(await hubctl([path, '--files', '--force', '--json']))).toMatchObject({ code: 'unreachable' });
  }
  expect(errorOf(await hubctl(['-', '--files', '--json'])).exitCode).toBe(2);
});

test('writes only the export to standard output, escaped for a terminal', async () => {
  for (const flags of [['-'], ['-', '--json']]) {
    response = inPieces(DOCUMENT.slice(0, 19), DOCUMENT.slice(19));
    expect(await hubctl(flags)).toMatchObject({ code: 0, stdout: DOCUMENT, stderr: '' });
  }
  response = inPieces(DOCUMENT);
  const { stdout } = await hubctl(['-'], { columns: 80 });
  expect(stdout).not.toContain('\u202e');
  expect(JSON.parse(stdout)).toEqual(JSON.parse(DOCUMENT));
});

test('the default file name of an export has the Hub name and the date', () => {
  const now = Date.parse('2026-03-01T23:59:59Z');
  const named = (name: string) => fileName({ id: ID, name }, now);
  expect(named('Night shift!')).toBe('night-shift-2026-03-01.json');
  expect(named('../../etc/passwd')).toBe('etc-passwd-2026-03-01.json');
  expect(named('Zürich 日本')).toBe('zürich-日本-2026-03-01.json');
  expect(named('班'.repeat(100))).toBe(`${'班'.repeat(79)}-2026-03-01.json`);
  expect(named(`a${'𠮷'.repeat(100)}`)).toBe(`a${'𠮷'.repeat(59)}-2026-03-01.json`);
  expect(fileName({ id: ID, name: 'Night' }, now, '.zip')).toBe('night-2026-03-01.zip');
  expect(named('…')).toBe(`${ID}-2026-03-01.json`);
});
