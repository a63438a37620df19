/** Facts that hubctl needs about a copy of the database. hubctl never opens the database of a running server. */
export const DATABASE = {
  /** Identifies Hub databases among SQLite files: "HUB1" (sqlite.org/fileformat.html, offset 68). */
  applicationId: 0x48554231,
  /** The number of migrations of this version. A database with more migrations comes from a newer version. */
  migrations: 1,
  /** The files that a server keeps open in its data folder. No other program may replace them. */
  serverFiles: [
    'hub.db',
    'hub.db-wal',
    'hub.db-shm',
    'hub.run',
    'hub.lock',
    'search.db',
    'search.db-wal',
    'search.db-shm',
    'admin.sock',
    'last-backup.json',
  ],
} as const;
