import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  // Paths are relative to the root of the repository, where `bun run db:generate` runs.
  schema: './apps/api/src/storage/schema/*.ts',
  out: './apps/api/src/storage/sqlite/migrations',
  casing: 'snake_case',
});
