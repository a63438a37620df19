import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync, statSync } from 'node:fs';
import { temporaryFolder } from '@hub/testkit/cli/files';
import { errorOf, type RunOptions, runHubctl } from '@hub/testkit/cli/run-hubctl';
import { startScriptedServer } from '@hub/testkit/scripted-server';
import { fileName } from './export.ts';

const ID = 'hub_01KA3T8Q6V5M0G7ZB4W2N9RXEC';
const DOCUMENT = '{"hub":{"name":"Grüße \u202e"},"messages":[]}\n';

/** Returns the response to the next export. */
let response: () => Response;
let server: ReturnType<typeof startScriptedServer>;
beforeAll(() => {
  server = startScriptedServer((request) =>
    request.url.endsWith('/export') ? response() : Response.json({ id: ID, name: 'Night shift!', deletedAt: null }),
  );
});
afterAll(() => server[Symbol.asyncDispose]());

const hubctl = (argv: string[], options: RunOptions = {}) =>
  runHubctl(['hubs', 'export', ID, ...argv], {
    now: Date.parse('2026-03-01T09:30:00Z'),
    ...options,
    env: { HUB_ADMIN_SOCKET: server.socketPath },
  });

/** Returns a response with these chunks; `undefined` interrupts it. */
function inPieces(...pieces: (string | undefined)[]): () => Response {
  return () => {
    const rest = [...pieces];
    const body = new ReadableStream({
      pull: (controller) => {
        if (rest.length === 0) return controller.close();
        const piece = rest.shift();
        if (piece === undefined) controller.error(new Error('broken'));
        else controller.enqueue(new TextEncoder().encode(piece));
      },
    });
    return new Response(body);
  };
}

describe('hubs export', () => {
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

  for (const [what, pieces, code] of [
    ['is interrupted', [DOCUMENT.slice(0, 20), undefined], 3],
    ['ends too soon', [DOCUMENT.slice(0, 20)], 3],
    ['is empty', [], 3],
  ] as const) {
    test(`keeps the existing file and leaves no temporary file if the response ${what}`, async () => {
      using folder = temporaryFolder();
      await Bun.write(folder.file('out.json'), 'mine');
      response = inPieces(...pieces);
      const ran = await hubctl([folder.file('out.json'), '--force', '--json']);
      expect(ran.code).toBe(code);
      expect(errorOf(ran).code).toBe('unreachable');
      expect(readdirSync(folder.path)).toEqual(['out.json']);
      expect(await Bun.file(folder.file('out.json')).text()).toBe('mine');
    });
  }

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
});

test('the default file name of an export has the Hub name and the date', () => {
  const now = Date.parse('2026-03-01T23:59:59Z');
  const named = (name: string) => fileName({ id: ID, name }, now);
  expect(named('Night shift!')).toBe('night-shift-2026-03-01.json');
  expect(named('../../etc/passwd')).toBe('etc-passwd-2026-03-01.json');
  expect(named('Zürich 日本')).toBe('zürich-日本-2026-03-01.json');
  expect(named('班'.repeat(100))).toBe(`${'班'.repeat(79)}-2026-03-01.json`);
  expect(named(`a${'𠮷'.repeat(100)}`)).toBe(`a${'𠮷'.repeat(59)}-2026-03-01.json`);
  expect(named('…')).toBe(`${ID}-2026-03-01.json`);
});
