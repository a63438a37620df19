/**
 * A preload that makes the server flush its log only at checkpoints, so that it responds before a post is on disk.
 * prove:flush must detect this. It changes the pragma on its way to SQLite, so that the server itself needs no such
 * setting.
 */
import { Database } from 'bun:sqlite';

const exec: (this: Database, sql: string) => ReturnType<Database['exec']> = Database.prototype.exec;

Database.prototype.exec = function (this: Database, sql: string) {
  return exec.call(this, sql.replace('synchronous = FULL', 'synchronous = NORMAL'));
};
