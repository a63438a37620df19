/**
 * What hubctl must know of a database that the server has copied for it. hubctl never opens the one that a server uses.
 */
export const DATABASE = {
  /** Marks our files among all SQLite files: "HUB1" (sqlite.org/fileformat.html, offset 68). */
  applicationId: 0x48554231,
  /** How many migrations this version has. A database with more of them is of a newer one. */
  migrations: 8,
  /** What a server keeps in its data folder and holds open: nobody else may put anything in its place. */
  filesOfServer: [
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
