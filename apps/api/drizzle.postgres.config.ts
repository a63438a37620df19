import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  // Paths are relative to the root of the repository, where `bun run db:generate` runs.
  schema: './apps/api/src/storage/postgres/tables/*.ts',
  out: './apps/api/src/storage/postgres/postgres-migrations',
  casing: 'snake_case',
});
