import { WORKSPACE_API_PATH } from '@hub/contract/paths';
import type { Command } from 'commander';
import type { Cli } from '../runtime/cli.ts';
import { addCommand, collect } from '../runtime/command-line.ts';
import { CliError, failed, usageError } from '../runtime/errors.ts';
import { readSource } from '../runtime/files.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

export function addApiCommand(program: Command, cli: Cli): void {
  addCommand(program, 'api', {
    about: 'Send a request to the workspace API, with your login',
    prints:
      'The JSON of the response; nothing if it is empty. With --paginate: {"items": […]} with the items of all pages.\n' +
      '--json is the same.',
    more: {
      title: 'Fields',
      text:
        'The fields are the query of GET and DELETE, and the JSON body of other methods.\n' +
        'The operations are in the OpenAPI document of the server, at /api/docs.',
    },
    examples: [
      'hubctl api GET /hubs -f state=deleted --paginate',
      "hubctl api POST /hubs -f name=Releases -F 'topic=null'",
      'hubctl api PATCH /todos/todo_01KA3T8Q6V5M0G7ZB4W2N9RXEC --input change.json',
    ],
  })
    .argument('<method>', METHODS.join(', '))
    .argument('<path>', `Path of the operation, with or without ${WORKSPACE_API_PATH}`)
    .option('-f, --field <name=value>', 'Add a field with a text; repeat for more', collect)
    .option('-F, --json-field <name=value>', 'Add a field with a JSON value, such as 30, true, null or ["a"]', collect)
    .option('--input <file>', 'Read the JSON body from a file; - is standard input')
    .option('--paginate', 'Get all pages of a list')
    .action(async (givenMethod, given, options) => {
      const method = givenMethod.toUpperCase();
      if (!METHODS.includes(method))
        throw usageError(`Unknown method "${method}".`, `Use one of: ${METHODS.join(', ')}.`);
      if (/^\w+:\/\//.test(given)) throw usageError('The path is a URL.', 'Use a path such as /hubs.');
      const [path = '', search = ''] = given
        .replace(/^\/*/, '/')
        .replace(/\/+(?=\?|$)/, '')
        .split('?', 2);
      const fields = Object.fromEntries([...textFields(options.field), ...jsonFields(options.jsonField)]);
      const isRead = method === 'GET' || method === 'DELETE';
      if (options.input !== undefined && (isRead || Object.keys(fields).length > 0)) {
        throw usageError(
          isRead ? `${method} has no body.` : '--input cannot be combined with fields.',
          'Remove --input.',
        );
      }
      if (options.paginate && method !== 'GET') throw usageError('--paginate is for GET.', 'Remove --paginate.');
      const body = options.input === undefined ? fields : parsed(await readSource(cli, options.input), '--input');
      const query = { ...Object.fromEntries(new URLSearchParams(search)), ...(isRead && fields) };
      const operation = `${method} ${path.replace(new RegExp(`^${WORKSPACE_API_PATH}(?=/|$)`), '')}`;
      const hasBody = !isRead && (options.input !== undefined || Object.keys(fields).length > 0);
      // The server checks what the types of the client would have.
      const [name, request] = [operation as 'GET /hubs', { query, ...(hasBody && { body }) } as never];
      if (options.paginate) return cli.output.document({ items: await cli.api.all(name, request) });
      const response = await cli.api.open(name, request).catch((error) => {
        const lacksBody = error instanceof CliError && error.details.statusCode === 415 && !hasBody;
        throw lacksBody
          ? error.with({ message: 'This operation needs a body.', hint: 'Add -f name=value, or --input.' })
          : error;
      });
      const text = await response.text();
      if (text === '') return cli.json ? cli.output.document({}) : undefined;
      const type = response.headers.get('content-type') ?? '';
      if (!/\bjson\b/.test(type)) throw failed('unexpected_response', `The response is not JSON but ${type}.`);
      cli.output.document(JSON.parse(text));
    });
}

function textFields(fields: readonly string[] = []): [name: string, value: unknown][] {
  return fields.map((field) => {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(field) ?? [];
    if (name === undefined) throw usageError(`Invalid field "${field}".`, 'Use name=value.');
    return [name, value];
  });
}

function jsonFields(fields?: readonly string[]): [name: string, value: unknown][] {
  return textFields(fields).map(([name, value]) => [name, parsed(String(value), `The value of ${name}`)]);
}

function parsed(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw usageError(`${what} is not JSON.`, 'For a text, use -f name=value.');
  }
}
