import { expect, test } from 'bun:test';
import type { Message, UploadedFile } from '@hub/contract';
import { expectAccessible } from '@hub/testkit/browser/axe';
import { PHONE } from '@hub/testkit/browser/browser';
import { teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { holdBack, pressIfThere, seen, show } from '@hub/testkit/browser/steps';
import { pngOf } from '@hub/testkit/in-process/images';
import { startTeam } from '@hub/testkit/in-process/team';
import type { Locator, Page } from 'playwright-core';

const { session, open, openHub, newHub } = await teamSessions(startTeam(), { expected: /net::ERR_FAILED/ });

type HubTeam = Awaited<ReturnType<typeof newHub>>;

const textOf = (page: Page) => page.getByRole('textbox', { name: 'Message to' });
const attachedIn = (page: Page) => page.getByRole('list', { name: 'Attached files' });
const namesIn = (page: Page) => attachedIn(page).getByRole('listitem').locator('bdi').allTextContents();

/** Gives the page a file with these bytes, followed by zeros up to its size. */
const give = (field: Locator, how: 'paste' | 'drop', name: string, bytes: Uint8Array, size = bytes.length) =>
  field.evaluate(
    (area, [way, fileName, start, length]) => {
      const content = new Uint8Array(length);
      content.set(start);
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], fileName, { type: 'image/png' }));
      const options = { bubbles: true, cancelable: true };
      const pasted = new ClipboardEvent('paste', { ...options, clipboardData: transfer });
      area.dispatchEvent(way === 'paste' ? pasted : new DragEvent('drop', { ...options, dataTransfer: transfer }));
    },
    [how, name, [...bytes], size] as const,
  );

/** Uploads a file, and posts a message that has it. */
async function postFile({ ada, hubId }: HubTeam, name: string, body: string | Uint8Array<ArrayBuffer>) {
  const response = await ada.fetch(`/api/v1/hubs/${hubId}/files?name=${name}`, { method: 'POST', body });
  const { id } = (await response.json()) as UploadedFile;
  return ada.call<Message>('POST', `/hubs/${hubId}/messages`, { files: [id] });
}

async function scrollToBeginning(page: Page): Promise<void> {
  await page.getByLabel('Conversation in').hover();
  for (let n = 0; n < 60; n += 1) {
    await page.mouse.wheel(0, -400);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  await page.getByText('This is the beginning of').waitFor();
}

test('files are attached by choice, paste and drop, stay over a reload, and open in a viewer', async () => {
  const team = await newHub();
  const { page } = await openHub(team.ada);
  const attached = attachedIn(page);
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByLabel('Attach files').click()]);
  const second = await holdBack(page, /name=build.log/);
  const text = { mimeType: 'text/plain', buffer: Buffer.from('the end') };
  await chooser.setFiles(['build.log', 'test.log'].map((name) => ({ name, ...text })));
  await page.getByRole('button', { name: 'Remove test.log' }).waitFor();
  expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
  second();
  await page.getByRole('button', { name: 'Remove build.log' }).waitFor();
  await page.unroute(/name=build.log/);
  await give(textOf(page), 'drop', 'large.bin', new Uint8Array(), 25 * 1024 * 1024 + 1);
  await seen(attached.getByText('The file is larger than 26.2 MB.'), page.getByRole('alert').getByText('large.bin'));
  await page.getByRole('button', { name: 'Remove large.bin' }).press('Enter');
  // The focus moves on to what is next to it.
  await page.locator('button:focus[aria-label="Remove test.log"]').waitFor();
  await attached.locator('..').getByRole('status').getByText('2 files attached').waitFor({ state: 'attached' });
  for (const how of ['paste', 'drop'] as const) {
    await give(textOf(page), how, `${how}.png`, pngOf({ width: 90, height: 60 }));
    await page.getByRole('button', { name: `Remove ${how}.png` }).waitFor();
  }
  await page.reload();
  await attached.getByText('drop.png').waitFor();
  expect(await namesIn(page)).toEqual(['build.log', 'test.log', 'paste.png', 'drop.png']);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const message = page.locator('.msg[id]').filter({ has: page.locator('.files') });
  await message.getByRole('link', { name: 'build.log' }).waitFor();
  await attached.waitFor({ state: 'detached' });
  await message.getByRole('link', { name: 'Open paste.png' }).click();
  const viewer = page.getByRole('dialog', { name: 'paste.png' });
  await viewer.getByText('1 of 2').waitFor();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('dialog', { name: 'drop.png' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Show in original size' }).press('Enter');
  await page.getByRole('button', { name: 'Fit to the window' }).press('Enter');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('notes and to-dos take files when they are written and edited, and keep those of a draft over a reload', async () => {
  const team = await newHub();
  const page = await open(team.ada, `/hubs/${team.hubId}/notes`);
  const panel = page.locator('.panel');
  const content = page.getByRole('textbox', { name: 'Content (Markdown)' });
  await page.getByRole('button', { name: 'Write a note' }).click();
  await content.fill('With a file');
  await give(content, 'paste', 'one.png', pngOf({ width: 30, height: 20 }));
  await page.getByRole('button', { name: 'Remove one.png' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Remove one.png' }).waitFor();
  await give(content, 'drop', 'two.bin', new Uint8Array([1]));
  await page.getByRole('button', { name: 'Remove two.bin' }).waitFor();
  await page.getByRole('button', { name: 'Save note' }).click();
  await seen(panel.getByRole('link', { name: 'Open one.png' }), panel.getByRole('link', { name: 'two.bin' }));
  await panel.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Remove two.bin' }).click();
  await give(content, 'paste', 'three.png', pngOf({ width: 30, height: 20 }));
  await page.getByRole('button', { name: 'Remove three.png' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Remove three.png' }).waitFor();
  expect(await namesIn(page)).toEqual(['one.png', 'three.png']);
  await panel.getByRole('button', { name: 'Save', exact: true }).click();
  await panel.getByRole('link', { name: 'Open three.png' }).waitFor();
  expect(await panel.getByRole('link', { name: 'two.bin' }).count()).toBe(0);

  await show(page, `/hubs/${team.hubId}/todos`, '.add-row');
  const title = page.getByRole('textbox', { name: 'New to-do' });
  await title.fill('Look at this');
  await give(title, 'paste', 'four.png', pngOf({ width: 30, height: 20 }));
  await page.getByRole('button', { name: 'Remove four.png' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Remove four.png' }).waitFor();
  await title.press('Enter');
  await attachedIn(page).waitFor({ state: 'detached' });
  const row = page.locator('.todo', { hasText: 'Look at this' });
  await row.getByText('1 file').waitFor();
  await row.getByRole('link').click();
  await panel.getByRole('link', { name: 'Open four.png' }).waitFor();
  await panel.getByRole('button', { name: 'Edit' }).first().click();
  await page.getByRole('button', { name: 'Remove four.png' }).click();
  await panel.getByRole('button', { name: 'Save', exact: true }).click();
  await panel.getByRole('link', { name: 'Open four.png' }).waitFor({ state: 'detached' });

  await show(page, `/hubs/${team.hubId}/files`, '.hub-file');
  const files = page.getByRole('region', { name: /^Files in/ });
  await files.getByText('three.png').waitFor();
  expect(await files.locator('.hub-file > bdi').allTextContents()).toEqual(['three.png', 'one.png']);
  await files.getByText('Note by Ada Lovelace').first().waitFor();
  const post = await postFile(team, 'new.log', 'text');
  await files.getByText('new.log').first().waitFor();
  await expectAccessible(page);
  await files.getByText('new.log').first().click();
  await page.locator(`.msg[id*="${post.id}"]`).waitFor();
});

test('a text file shows its last lines with colors once it is in view, and all of them on request', async () => {
  const team = await newHub();
  const lines = Array.from({ length: 3_000 }, (_, n) => `\x1b[3${n % 8}mline ${n}\x1b[0m of the build`);
  await postFile(team, 'build.log', lines.join('\n'));
  for (let n = 0; n < 40; n += 1) await team.message(team.ada, `Message ${n}\n\nand more\n\nand more`);
  const { page } = await openHub(team.ada, { look: PHONE });
  await page.getByText('Message 39').waitFor();
  const statuses: number[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/files/')) statuses.push(response.status());
  });
  const box = page.locator('.text-file');
  expect(statuses).toEqual([]);
  await page.route('**/files/**', (route) => route.abort());
  await scrollToBeginning(page);
  await box.getByText('The text couldn’t be loaded.').waitFor();
  await page.unroute('**/files/**');
  await pressIfThere(box.getByRole('button', { name: 'Try again' }));
  await box.getByText('line 2999').waitFor();
  expect(await box.getByText('couldn’t be loaded').count()).toBe(0);
  expect(await box.locator('code').textContent()).toStartWith('line 2980 of');
  await box.locator('code .is-hue').nth(10).waitFor({ state: 'attached' });
  await box.getByText('line 2990 of').scrollIntoViewIfNeeded();
  const before = await box.locator('.lines').evaluate((lines) => lines.scrollHeight - lines.scrollTop);
  await box.getByRole('button', { name: 'Show all' }).click();
  await box.getByText('line 0 of').waitFor({ state: 'attached' });
  const after = await box.locator('.lines').evaluate((lines) => lines.scrollHeight - lines.scrollTop);
  expect(after).toBeCloseTo(before, -1);
  expect([statuses[0], statuses.at(-1)]).toEqual([206, 200]);
  await expectAccessible(page);
});

test('on a phone, short texts, long names and failed uploads stay within the screen', async () => {
  const team = await newHub();
  const long = `${'very-long-name-'.repeat(12)}.log`;
  await postFile(team, 'short.log', 'the first line\nand another');
  await postFile(team, long, `${'x'.repeat(2_000)}\n`.repeat(30));
  const { page } = await openHub(team.ada, { look: PHONE });
  const line = page.locator('.text-file').getByText('the first line');
  await scrollToBeginning(page);
  await line.waitFor();
  const isVisible = await line.evaluate((code) => {
    const [{ top, left }, box] = [code.getBoundingClientRect(), code.closest('.lines')?.getBoundingClientRect()];
    return document.elementFromPoint(left + 2, top + 5) === code && box !== undefined && top + 10 < box.bottom;
  });
  expect(isVisible).toBe(true);
  // All within the width of the screen; a tool of code shows that they are loaded.
  await page.locator('.text-file').last().getByRole('button', { name: 'Copy' }).waitFor();
  const overflow = () =>
    page.evaluate(() => {
      const isClipped = (element: Element) => element.closest('.cut, pre, .lines, .toolbar') !== null;
      const all = [...document.querySelectorAll('.feed *, .composer *')].filter((each) => !isClipped(each));
      return all
        .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
        .map((each) => each.outerHTML.slice(0, 80));
    });
  expect(await overflow()).toEqual([]);

  const field = page.locator('input[type=file]');
  const chosen = Array.from({ length: 12 }, (_, n) => ({
    name: `${n}.txt`,
    mimeType: 'text/plain',
    buffer: Buffer.from('x'),
  }));
  chosen[9] = { name: long, mimeType: 'text/plain', buffer: Buffer.alloc(0) };
  await field.setInputFiles(chosen);
  await page.getByText('At most 10 files: 2 left out.').waitFor();
  const failure = attachedIn(page).getByText('The file is empty.');
  await seen(failure, page.getByRole('button', { name: 'Remove 8.txt' }));
  expect([await page.getByRole('button', { name: /^Upload .* again$/ }).count(), await overflow()]).toEqual([0, []]);
  await page.getByRole('button', { name: 'Remove very-long' }).click();
  await expect(page.getByRole('button', { name: 'Send', exact: true }).isEnabled()).resolves.toBe(true);
});

test('a feed with many images shifts nothing while they load', async () => {
  const team = await newHub();
  for (let n = 0; n < 20; n += 1)
    await postFile(team, `${n}.png`, pngOf({ width: 40 + 30 * n, height: 700 - 30 * n, colour: [9 * n, 90, 40] }));
  const { page } = await session(team.ada);
  for (const goThere of [() => page.goto(`/hubs/${team.hubId}`), () => scrollToBeginning(page)]) {
    const loading = await holdBack(page, '**/preview');
    await goThere();
    const images = page.locator('.image-file img');
    await images.last().waitFor();
    // The header has its counts.
    await page.locator('.bar-end .num', { hasText: '2' }).waitFor();
    const color = await images.last().evaluate((image) => image.style.backgroundColor);
    expect(color).toMatch(/^rgb\(\d+, \d+, \d+\)$/);
    await page.evaluate(() => {
      const shifts: string[] = [];
      Object.assign(globalThis, { shifts });
      const add = (list: PerformanceObserverEntryList) => shifts.push(...list.getEntries().map(({ name }) => name));
      new PerformanceObserver(add).observe({ type: 'layout-shift' });
    });
    loading();
    await page.waitForFunction(() => {
      const isInView = (image: Element) => image.getBoundingClientRect().bottom > 0;
      return [...document.images].every((image) => image.naturalWidth > 0 || !isInView(image));
    });
    expect(await page.evaluate(() => (globalThis as unknown as { shifts: string[] }).shifts)).toEqual([]);
    await page.unroute('**/preview');
  }
});
