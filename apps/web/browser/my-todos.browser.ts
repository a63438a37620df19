import { expect, test } from 'bun:test';
import type { Todo } from '@hub/contract';
import { axeInBothThemes } from '@hub/testkit/browser/axe';
import { PHONE, WIDE } from '@hub/testkit/browser/browser';
import { teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { startTeam } from '@hub/testkit/in-process/team';
import type { UserCaller } from '@hub/testkit/in-process/users';
import type { Page } from 'playwright-core';

const NOW = '2026-11-12T10:00:00Z';

const { team, open } = await teamSessions(startTeam());
/** Another Hub with both members. */
const { id: otherHubId } = await team.hub.admin.createHub('Website');
for (const { user } of [team.ada, team.bob]) {
  await team.hub.admin.raw('POST', `/hubs/${otherHubId}/members`, { userId: user.id });
}

const mineOf = (caller: UserCaller, look = WIDE) => open(caller, '/todos', { look, now: NOW });

const row = (page: Page, title: string) => page.locator('.todo', { hasText: title });
const addTo = async (hubId: string, body: object) =>
  (await team.bob.json<Todo>('POST', `/hubs/${hubId}/todos`, body)).body;

test('shows to-dos assigned to the member from every Hub, and none assigned to other members', async () => {
  const assigneeId = team.ada.user.id;
  await addTo(team.hubId, { title: 'Before opening', assigneeId, dueDate: '2026-11-12T17:00:00Z' });
  const page = await mineOf(team.ada);
  await row(page, 'Before opening').getByText('Releases').waitFor();
  const assigned = await addTo(otherHubId, { title: 'Assigned afterwards' });
  await addTo(otherHubId, { title: 'Assigned to Bob', assigneeId: team.bob.user.id });
  await team.bob.json('PATCH', `/todos/${assigned.id}`, { assigneeId });
  await row(page, 'Assigned afterwards').getByText('Website').waitFor();
  await page.setViewportSize(PHONE);
  const [badge, hub] = ['New', 'Website'].map((text) => row(page, 'Assigned afterwards').getByText(text));
  const [left, right] = [await badge?.boundingBox(), await hub?.boundingBox()];
  expect((right?.x ?? 0) - (left?.x ?? 0) - (left?.width ?? 0)).toBeGreaterThan(6);
  expect(await page.locator('.todo').count()).toBe(2);
  await team.bob.json('PATCH', `/todos/${assigned.id}`, { assigneeId: null });
  await row(page, 'Assigned afterwards').waitFor({ state: 'detached' });
});

test('a checked-off to-do leaves the list after a moment and appears under Done', async () => {
  const todo = await addTo(otherHubId, { title: 'Done by Bob', assigneeId: team.ada.user.id });
  const page = await mineOf(team.ada);
  await row(page, 'Done by Bob').waitFor();
  await team.bob.json('PATCH', `/todos/${todo.id}`, { status: 'done' });
  await page.locator('.todo.is-done', { hasText: 'Done by Bob' }).waitFor();
  await page.clock.fastForward(7_000);
  await row(page, 'Done by Bob').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  await row(page, 'Done by Bob').getByText('Bob').first().waitFor();
});

test('a row opens its panel beside the page', async () => {
  await addTo(otherHubId, { title: 'To be opened', assigneeId: team.ada.user.id });
  const page = await mineOf(team.ada);
  await row(page, 'To be opened').getByRole('link').click();
  await page.locator('.panel').getByRole('heading', { name: 'To be opened' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/todos');
});

for (const look of [WIDE, PHONE]) {
  test(`axe finds no violations at ${look.width} px, in either theme`, async () => {
    await addTo(otherHubId, { title: 'Something', assigneeId: team.ada.user.id });
    const page = await mineOf(team.ada, look);
    await row(page, 'Something').first().waitFor();
    expect(await axeInBothThemes(page)).toEqual([]);
  });
}

test('on a phone, the page has the button that opens the list of Hubs', async () => {
  const page = await mineOf(team.ada, PHONE);
  await page.getByRole('button', { name: /^Hubs/ }).click();
  await page
    .locator('nav.side.is-open')
    .getByRole('link', { name: /Website/ })
    .waitFor();
});
