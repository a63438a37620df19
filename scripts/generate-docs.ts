/**
 * Writes what is made from something else in this repository: docs/configuration.md from the table of settings, the
 * commands in docs/hubctl.md from hubctl, and the examples of the OpenAPI document from what the server answers. `--check` writes nothing, and ends with 1 if a file is
 * not what would be written. `--root FOLDER` takes the files of another folder than the repository.
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Setting, settings } from '../apps/api/src/config.ts';
import { recordExamples } from '../apps/api/src/testing/openapi-examples/record-examples.ts';

interface MadeFile {
  /** From the root of the repository. */
  path: string;
  make: () => string | Promise<string>;
}

const FILES: readonly MadeFile[] = [
  { path: 'docs/configuration.md', make: configurationPage },
  { path: 'docs/hubctl.md', make: hubctlPage },
  { path: 'apps/api/src/ops/openapi-recorded-examples.json', make: recordedExamples },
];

const INTRODUCTION = `# Configuration

<!-- Made by scripts/generate-docs.ts from apps/api/src/config.ts; change it there, then run: bun scripts/generate-docs.ts -->

The server is configured by environment variables alone, and needs none of them. They are all checked at the start:
what is wrong is named, all of it at once, and the server ends with exit code 2. A variable that is empty counts as not
set. One that begins with \`HUB_\` and is not on this page is ignored with a warning. Bun also reads a file \`.env\` in the
folder in which the server starts.

A secret can be given in a file instead (Docker and Kubernetes secrets): append \`_FILE\` to the name, and set it to the
path. One newline at the end of the file is left out. Relative paths start at the folder in which the server starts.
`;

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function defaultOf(setting: Setting<unknown, unknown>): string {
  if (setting.defaultDoc !== undefined) return setting.defaultDoc;
  return setting.default === null ? 'not set' : `\`${setting.default}\``;
}

function section(setting: Setting<unknown, unknown>): string {
  const form = setting.secret
    ? `${setting.schema.form}; a secret, so \`${setting.name}_FILE\` works too`
    : setting.schema.form;
  return [`## ${setting.name}`, '', setting.doc, '', `- Form: ${form}`, `- Default: ${defaultOf(setting)}`, ''].join(
    '\n',
  );
}

/** The whole page as Markdown. */
function configurationPage(): string {
  const all = Object.values(settings);
  const rows = all.map(
    (setting) => `| [\`${setting.name}\`](#${setting.name.toLowerCase()}) | ${cell(defaultOf(setting))} |`,
  );
  const table = ['| variable | default |', '|---|---|', ...rows, ''].join('\n');
  return [INTRODUCTION, table, ...all.map(section)].join('\n');
}

/** Printed by hubctl's own part of the repository, which nothing else imports. */
async function hubctlPage(): Promise<string> {
  const script = resolve(import.meta.dir, '../apps/cli/hubctl-page.ts');
  const child = Bun.spawn([process.execPath, script], { stdout: 'pipe', stderr: 'inherit' });
  const page = await child.stdout.text();
  if ((await child.exited) !== 0) throw new Error('The page of hubctl could not be made');
  return page;
}

async function recordedExamples(): Promise<string> {
  return `${JSON.stringify(await recordExamples(), null, 2)}\n`;
}

const { values } = parseArgs({ options: { check: { type: 'boolean' }, root: { type: 'string' } } });
const root = values.root ?? resolve(import.meta.dir, '..');
for (const { path, make } of FILES) {
  const file = Bun.file(join(root, path));
  const text = await make();
  if (!values.check) {
    await Bun.write(file, text);
  } else if (!(await file.exists()) || (await file.text()) !== text) {
    console.error(`${path} is out of date. Run: bun scripts/generate-docs.ts`);
    process.exitCode = 1;
  }
}
