import { expect, test } from 'bun:test';
import { isFiltering, queryOf, readFilter, writeFilter } from './audit-filter.ts';

const read = (query: string) => readFilter(new URLSearchParams(query));

test('reads the filter from the URL, and writes it without changing other parameters', () => {
  const filter = read('who=usr_1&what=key.revoked&key=key_1&from=2026-11-01&other=x');
  expect(filter).toEqual({
    who: 'usr_1',
    action: 'key.revoked',
    hubId: null,
    targetId: 'key_1',
    from: '2026-11-01',
    to: null,
  });
  const written = writeFilter(new URLSearchParams('other=x&hub=hub_1'), filter);
  expect(written.get('other')).toBe('x');
  expect(readFilter(written)).toEqual(filter);
  expect(isFiltering(filter)).toBe(true);
  expect(isFiltering(read('other=x&who='))).toBe(false);
});

test('queries users by id and other actors by kind, and ends a date range at the start of the following day', () => {
  expect(queryOf(read('who=server'))).toMatchObject({ actorKind: 'server', actorId: null });
  expect(queryOf(read('who=usr_1'))).toMatchObject({ actorKind: null, actorId: 'usr_1' });
  const { from, to } = queryOf(read('from=2026-11-30&to=2026-11-30'));
  expect(from).toBe(new Date(2026, 10, 30).toISOString());
  expect(to).toBe(new Date(2026, 11, 1).toISOString());
});

test('ignores dates in the URL that do not exist', () => {
  for (const day of ['whenever', '2026-99-99', '2026-02-31']) {
    expect(read(`from=${day}&to=2026-01-01`)).toMatchObject({ from: null, to: '2026-01-01' });
  }
});
