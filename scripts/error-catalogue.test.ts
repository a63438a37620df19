import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { post, startTestHub } from '@hub/testkit/in-process/test-hub';
import { errorsIn } from './error-catalogue.ts';

const PAGE = join(resolve(import.meta.dir, '..'), 'docs/errors.md');

/** The messages of the page as patterns, in which `…` stands for anything. */
function patterns(): RegExp[] {
  return readFileSync(PAGE, 'utf8')
    .split('\n')
    .filter((line) => /^\| .* \|$/.test(line))
    .map((line) => {
      const [cause = '', fix = ''] = line.slice(2, -2).split(' | ');
      const source = [cause, fix.trim()].filter(Boolean).map(patternOf).join(':? ');
      return new RegExp(`^${source}$`);
    });
}

function patternOf(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.+');
}

describe('errorsIn', () => {
  test('finds codes, messages with values, and alternatives', () => {
    const source = `
      throw new AppError('not_found', \`There is no \${f({ a: "'" })} here. Look there.\`, { allow: 'POST' });
      throw new AppError('invalid', isLong ? 'It is too long: shorten it' : 'It is too short: ' + 'lengthen it');
      throw new StartError("The port is in use. Choose another one.");
      throw new AppError('invalid', problem);`;
    expect(errorsIn(source)).toEqual([
      { code: 'not_found', message: 'There is no … here. Look there.' },
      { code: 'invalid', message: 'It is too long: shorten it' },
      { code: 'invalid', message: 'It is too short: lengthen it' },
      { code: 'start', message: 'The port is in use. Choose another one.' },
    ]);
  });
});

describe('docs/errors.md', () => {
  test('has the errors that a sender gets', async () => {
    await using hub = await startTestHub();
    const { id: hubId } = await hub.admin.createHub();
    const { key } = await hub.admin.issueKey({ hubId, scopes: ['messages:create'] });
    const responses = [
      await post(hub, 'messages', 'hub_live_x', { text: 'x' }),
      await post(hub, 'notes', key, { content: 'x' }),
      await post(hub, 'messages', key, { text: 'x'.repeat(2_000_000) }),
      await hub.admin.raw('GET', '/hubs/hub_0'),
      await hub.admin.raw('GET', '/hubs?limit=0'),
    ];
    const messages = await Promise.all(responses.map(async (r) => ((await r.json()) as { message: string }).message));
    const known = patterns();
    for (const message of messages)
      expect({ message, isKnown: known.some((p) => p.test(message)) }).toEqual({ message, isKnown: true });
  });
});
