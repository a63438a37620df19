import { afterEach, beforeEach, expect, test } from 'bun:test';
import { openSqliteUnderTest, type SqliteUnderTest } from '@hub/testkit/in-process/sqlite-under-test';
import { eq, sql } from 'drizzle-orm';
import { workspace } from '../../schema/workspace.table.ts';
import { type Db, openDatabase } from './database.ts';
import { boundStatement } from './statements.ts';

let subject: SqliteUnderTest;
let db: Db;
beforeEach(async () => {
  subject = openSqliteUnderTest();
  await subject.store.close();
  db = openDatabase(subject.file);
});
afterEach(async () => {
  db.$client.close(false);
  await subject.dispose();
});

test('a bound statement binds placeholders and constants, encodes values, and returns the columns in order', () => {
  const update = boundStatement(db, () =>
    db
      .update(workspace)
      .set({ name: sql`${sql.placeholder('name')}`, membersManageKeys: true })
      .where(eq(workspace.name, sql.placeholder('old')))
      .returning({ name: workspace.name, membersManageKeys: workspace.membersManageKeys }),
  );
  const old = db.select({ name: workspace.name }).from(workspace).get()?.name;
  expect(update.first({ name: 'New', old })).toEqual(['New', 1]);
  expect(update.first({ name: 'Newer', old })).toBeUndefined();
  expect(db.select({ is: workspace.membersManageKeys }).from(workspace).get()).toEqual({ is: true });
});

test('a bound statement returns the number of changed rows', () => {
  const rename = boundStatement(db, () => db.update(workspace).set({ name: sql`${sql.placeholder('name')}` }));
  expect(rename.run({ name: 'New' })).toBe(1);
});

test('a bound statement throws when a value is missing, instead of storing nothing', () => {
  const rename = boundStatement(db, () => db.update(workspace).set({ name: sql`${sql.placeholder('name')}` }));
  expect(() => rename.run({})).toThrow('No value for the placeholder name');
});
