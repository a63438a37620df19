import { expect, test } from 'bun:test';
import { folderArrowProblems } from './folder-arrows.ts';

function problems(files: Record<string, string>): string[] {
  return folderArrowProblems(Object.keys(files), (path) => files[path] ?? '');
}

test('accepts folders that import each other in one direction, and tests that import the other way', () => {
  expect(
    problems({
      'apps/api/src/keys/rotate.ts': "import { now } from '../core/time.ts';\nimport { find } from './find.ts';",
      'apps/api/src/core/time.test.ts': "import { rotate } from '../keys/rotate.ts';",
      'apps/api/src/core/time.ts': "import { x } from 'elysia';",
    }),
  ).toEqual([]);
});

test('finds two folders that import each other, even if one imports only types or one is inside the other', () => {
  expect(
    problems({
      'apps/api/src/keys/rotate.ts': "import { now } from '../core/time.ts';",
      'apps/api/src/core/time.ts': "import type { Key } from '../keys/key.ts';",
      'apps/api/src/keys/list/all.ts': "import { rotate } from '../rotate.ts';",
      'apps/api/src/keys/find.ts': "export * from './list/all.ts';",
    }),
  ).toEqual([
    'apps/api/src/core and apps/api/src/keys import each other: apps/api/src/core/time.ts imports apps/api/src/keys/key.ts, apps/api/src/keys/rotate.ts imports apps/api/src/core/time.ts',
    'apps/api/src/keys and apps/api/src/keys/list import each other: apps/api/src/keys/find.ts imports apps/api/src/keys/list/all.ts, apps/api/src/keys/list/all.ts imports apps/api/src/keys/rotate.ts',
  ]);
});

test('finds imports of the web app from a layer above', () => {
  expect(
    problems({
      'apps/web/src/ui/dialog.tsx': "import { route } from '../lib/router/location.ts';",
      'apps/web/src/data/session.ts': "import { Dialog } from '../ui/dialog.tsx';",
      'apps/web/src/app.tsx': "import { Dialog } from './ui/dialog.tsx';",
      'apps/web/src/lib/time.ts': "import { App } from '../app.tsx';",
    }),
  ).toEqual([
    'apps/web/src/data/session.ts imports apps/web/src/ui/dialog.tsx: apps/web/src/ui is in a layer above',
    'apps/web/src/lib/time.ts imports apps/web/src/app.tsx: apps/web/src is in a layer above',
  ]);
});
